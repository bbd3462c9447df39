import { curlText } from '../../../curl.ts'
import { baseUrl } from '../../../parts/base-url.ts'
import { Card } from '../../../parts/card.tsx'
import { useCast } from '../../../parts/cast.ts'
import { Code } from '../../../parts/code.tsx'
import { session } from '../../../place.ts'
import type { ListedSession } from '../../../session-switch.tsx'

/** How a request is made part of a session. */
export function SessionUse({ sessions }: { readonly sessions: readonly ListedSession[] }) {
  const { member } = useCast()
  const id = session.value ?? sessions[0]?.id ?? 'session-1'
  const token = { Authorization: `Bearer ${member?.token ?? 'sbx_harbor_1'}` }
  return (
    <Card title="Use a session">
      <p>By its base URL, where an application takes one:</p>
      <Code
        text={curlText({ method: 'GET', url: `${baseUrl(id)}/members/me`, headers: token })}
        what="the call by base URL"
      />
      <p class="steer-gap">Or by a header on each request:</p>
      <Code
        text={curlText({
          method: 'GET',
          url: `${location.origin}/v1/members/me`,
          headers: { 'Sandbox-Session': id, ...token },
        })}
        what="the call by header"
      />
      <p class="hint steer-gap">
        Opening one costs nothing. One that is idle for half an hour goes by itself. Only the default
        session’s changes are kept on disk.
      </p>
    </Card>
  )
}
