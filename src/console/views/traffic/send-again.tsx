import { useState } from 'preact/hooks'

import type { JournalEntry } from '../../../journal/view.ts'
import { castResponse, prepare, routes } from '../../client.ts'
import { Code } from '../../components/code.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useRead } from '../../components/use-calls.ts'
import { formatCurl } from '../../curl.ts'
import { overview } from '../../shell/overview.ts'
import { shown } from './listing.ts'
import { Replay } from './replay.tsx'
import { type Tokens, formatFetch, formatTest, toRequest } from './resend.ts'

/** The largest number of requests to send again at once. */
const MAX_SENT = 200

const forms = [
  { name: 'curl', label: 'curl' },
  { name: 'fetch', label: 'fetch' },
  { name: 'test', label: 'Vitest test' },
] as const
type Form = (typeof forms)[number]['name']

interface SendAgainProps {
  readonly entry: JournalEntry
  readonly tokens: Tokens
}

/** Renders ways to send a request, or all that the list shows, again. */
export function SendAgain({ entry, tokens }: SendAgainProps) {
  const [many, setMany] = useState<readonly number[]>()
  const listed = shown.value.filter(({ status }) => status !== 'pending').slice(-MAX_SENT)
  const ids = many ?? [entry.id]
  return (
    <>
      <fieldset class="choices">
        <legend>Requests</legend>
        <label>
          <input type="radio" name="replayed" checked={!many} onChange={() => setMany(undefined)} /> this one
        </label>
        <label>
          <input
            type="radio"
            name="replayed"
            checked={many !== undefined}
            onChange={() => setMany(listed.map(({ id }) => id))}
          />{' '}
          the {many?.length ?? listed.length} in the list
        </label>
      </fieldset>
      <Replay key={ids.join()} ids={ids} tokens={tokens} />
      <Programs entry={entry} ids={ids} tokens={tokens} />
    </>
  )
}

/** Renders requests as commands or a program to run. */
function Programs({ entry, ids, tokens }: SendAgainProps & { readonly ids: readonly number[] }) {
  const [form, setForm] = useState<Form>('curl')
  const since = Math.max(0, (ids[0] ?? 1) - 1)
  const limit = Math.min(1_000, Math.max(1, (ids.at(-1) ?? 1) - since))
  const query = { since: `${since}`, limit: `${limit}` }
  const isMany = ids.length !== 1 || ids[0] !== entry.id
  const call = castResponse<{ readonly items: readonly JournalEntry[] }>(
    prepare('get', routes.requests, { query }),
  )
  const listed = useRead(isMany ? call : undefined).value?.items ?? []
  const { value: faults } = useRead(prepare('get', routes.faults))
  const entries = isMany ? listed.filter(({ id }) => ids.includes(id)) : [entry]
  const isMasked = entries.some((one) => !tokens.has(one.caller?.id) && one.request.headers['authorization'])
  const write: Readonly<Record<Form, () => string>> = {
    curl: () => entries.map((one) => formatCurl(toRequest(one, tokens))).join('\n\n'),
    fetch: () => entries.map((one) => formatFetch(toRequest(one, tokens))).join('\n\n'),
    test: () => formatTest(entries, { dataset: overview.value, faults: faults?.items ?? [], tokens }),
  }
  return (
    <section aria-label="As a program">
      <Tabs label="Format" tabs={forms} chosen={form} onChoose={setForm}>
        <Code text={write[form]()} subject={form === 'test' ? 'the Vitest test' : `the request as ${form}`} />
      </Tabs>
      {isMasked && (
        <p class="hint">
          The journal hides tokens, and this one belongs to no known member. Replace <code>***</code> with
          your token.
        </p>
      )}
    </section>
  )
}
