import { curlText } from '../../curl.ts'
import { baseUrl } from '../../parts/base-url.ts'
import { useCast } from '../../parts/cast.ts'
import { Code } from '../../parts/code.tsx'
import { Problem } from '../../parts/problem.tsx'

/** How to send the first request, where there is none. */
export function FirstRequest() {
  const { member, error } = useCast()
  const base = baseUrl()
  const headers: Record<string, string> = member ? { Authorization: `Bearer ${member.token}` } : {}
  const command = curlText({ method: 'GET', url: `${base}/members/me`, headers })
  return (
    <section class="card requests-first" aria-labelledby="requests-first">
      <h2 id="requests-first">No request yet</h2>
      <p>Send one, and it is here at once; no need to reload.</p>
      {member && <Code text={command} what="the request as curl" />}
      <Problem error={error} />
      <p>Or point your application here:</p>
      <Code text={base} what="the base URL" />
      <p class="hint">
        Everything below the base URL is listed, what is refused or broken off too. What this page asks under{' '}
        <code>/_sandbox</code> is not.
      </p>
    </section>
  )
}
