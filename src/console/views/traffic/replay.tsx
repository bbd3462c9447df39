import { useState } from 'preact/hooks'

import type { JournalEntry } from '../../../journal/view.ts'
import { castResponse, prepare, routes } from '../../client.ts'
import type { CastMember } from '../../components/cast.tsx'
import { Code } from '../../components/code.tsx'
import { Select } from '../../components/form.tsx'
import { ReplayButton } from '../../components/replay.tsx'
import { Tabs } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { formatCurl } from '../../curl.ts'
import { journalRevision, overview } from '../../shell/overview.ts'
import { shown } from './listing.ts'
import { formatTest, toRequest } from './test-program.ts'

/** The largest number of requests to send again at once. */
const MAX_SENT = 200

const formats = [
  ['curl', 'curl'],
  ['test', 'Vitest test'],
] as const

interface ReplayProps {
  readonly entry: JournalEntry
  readonly members: readonly CastMember[]
}

export function Replay({ entry, members }: ReplayProps) {
  const [many, setMany] = useState<readonly number[]>()
  const [keepsFaults, setKeepsFaults] = useState(false)
  const [format, setFormat] = useState<(typeof formats)[number][0]>('curl')
  const listed = many ?? shown.value.filter(({ status }) => status !== 'pending').map(({ id }) => id)
  const ids = listed.slice(-MAX_SENT)
  const [first = 1, last = 1] = [ids[0], ids.at(-1)]
  const query = { since: `${first - 1}`, limit: `${Math.min(1_000, last - first + 1)}` }
  const call = castResponse<{ readonly items: readonly JournalEntry[] }>(
    prepare('get', routes.requests, { query }),
  )
  const found = useRead(many && call).value?.items ?? []
  const faults = useRead(prepare('get', routes.faults), journalRevision.value).value?.items ?? []
  const entries = many ? found.filter(({ id }) => ids.includes(id)) : [entry]
  const requests = entries.map((one) => toRequest(one, members))
  const text =
    format === 'curl'
      ? requests.map(formatCurl).join('\n\n')
      : formatTest(entries, { dataset: overview.value, faults, members })
  return (
    <>
      <section aria-label="Replay">
        <div class="row">
          <Select
            label="Requests"
            value={many ? 'many' : 'one'}
            set={(to) => setMany(to === 'many' ? ids : undefined)}
            options={{ one: 'this one', many: `the ${ids.length} in the list` }}
          />
          <label>
            <input
              type="checkbox"
              checked={keepsFaults}
              onChange={({ currentTarget }) => setKeepsFaults(currentTarget.checked)}
            />{' '}
            with this session’s faults
          </label>
        </div>
        <p class="hint">
          In a copy of this session, with the clock as it was then. This session does not change.
        </p>
        <ReplayButton
          class="primary"
          name={`replay of request ${entries.map((one) => one.id).join(', ')}`}
          list={() => entries}
          keepsFaults={keepsFaults}
        >
          Send {entries.length > 1 ? `${entries.length} requests` : 'again'} in a fork
        </ReplayButton>
      </section>
      <section aria-label="As a program">
        <Tabs label="Format" tabs={formats} chosen={format} choose={setFormat}>
          <Code text={text} subject={format === 'curl' ? 'the request as curl' : 'the Vitest test'} />
        </Tabs>
        {requests.some(({ headers }) => headers['authorization']?.endsWith('***')) && (
          <p class="hint">
            The journal hides tokens, and this one belongs to no known member. Replace <code>***</code> with
            your token.
          </p>
        )}
      </section>
    </>
  )
}
