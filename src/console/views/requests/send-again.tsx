import { useState } from 'preact/hooks'

import type { JournalEntry } from '../../../control/journal/view.ts'
import { curlText } from '../../curl.ts'
import { Code } from '../../parts/code.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { fetchText, replayOf } from './replay.ts'

const forms = [
  { name: 'curl', label: 'as curl' },
  { name: 'fetch', label: 'as fetch' },
] as const

interface SendAgainProps {
  readonly request: JournalEntry
  /** The caller's; undefined where nobody knows it. */
  readonly token: string | undefined
}

/** A request as something to run. */
export function SendAgain({ request, token }: SendAgainProps) {
  const [form, setForm] = useState<'curl' | 'fetch'>('curl')
  const sent = replayOf(request, token)
  const isMasked = token === undefined && 'authorization' in sent.headers
  return (
    <section class="request-part">
      <h3>Send it again</h3>
      <Tabs label="As what" tabs={forms} chosen={form} onChoose={setForm}>
        <Code text={form === 'curl' ? curlText(sent) : fetchText(sent)} what={`the request as ${form}`} />
      </Tabs>
      {isMasked && (
        <p class="hint">
          The journal keeps no tokens, and nobody is known to have this one: put one in the place of{' '}
          <code>***</code>.
        </p>
      )}
      {request.request.truncated && <p class="hint">The body is not whole; the whole of it is in the HAR.</p>}
    </section>
  )
}
