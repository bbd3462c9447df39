import { useState } from 'preact/hooks'

import type { JournalEntry } from '../../../journal/view.ts'
import { Code } from '../../components/code.tsx'
import { toReplay } from '../../components/replay.ts'
import { Tabs } from '../../components/tabs.tsx'
import { type HttpRequest, formatCurl } from '../../curl.ts'

const forms = [
  { name: 'curl', label: 'curl' },
  { name: 'fetch', label: 'fetch' },
] as const

interface SendAgainProps {
  readonly request: JournalEntry
  /** The caller's token; undefined if unknown. */
  readonly token: string | undefined
}

/** Renders a request as a command or program to run. */
export function SendAgain({ request, token }: SendAgainProps) {
  const [form, setForm] = useState<'curl' | 'fetch'>('curl')
  const {
    method,
    url,
    request: { headers, body },
  } = request
  const sent = toReplay({ method, url, headers, body }, token)
  const isMasked = token === undefined && 'authorization' in sent.headers
  return (
    <section class="request-part">
      <h3>Send again</h3>
      <Tabs label="Format" tabs={forms} chosen={form} onChoose={setForm}>
        <Code
          text={form === 'curl' ? formatCurl(sent) : formatFetch(sent)}
          subject={`the request as ${form}`}
        />
      </Tabs>
      {isMasked && (
        <p class="hint">
          The journal hides tokens, and this one belongs to no known member. Replace <code>***</code> with
          your token.
        </p>
      )}
      {request.request.truncated && <p class="hint">The body is cut off. The HAR has all of it.</p>}
    </section>
  )
}

/** Formats a request as JavaScript. */
function formatFetch({ method, url, headers, body }: HttpRequest): string {
  const lines = [
    ...(method === 'GET' ? [] : [`method: ${literal(method)},`]),
    'headers: {',
    ...Object.entries(headers).map(([name, value]) => `  ${literal(name)}: ${literal(value)},`),
    '},',
    ...(body === undefined ? [] : [`body: ${literal(body)},`]),
  ]
  return `const response = await fetch(${literal(url)}, {\n${lines.map((line) => `  ${line}\n`).join('')}})`
}

const literal = (text: string): string => JSON.stringify(text)
