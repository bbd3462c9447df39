import { useState } from 'preact/hooks'

import type { JournalEntry } from '../../../journal/view.ts'
import { read } from '../../calls.ts'
import { castResponse, prepare, routes } from '../../client.ts'
import type { CastMember } from '../../components/cast.tsx'
import { Code } from '../../components/code.tsx'
import { Problem } from '../../components/problem.tsx'
import { type Replayed, forkSession, replay } from '../../components/replay.tsx'
import { ReplayedRequests } from '../../components/replay.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useRead } from '../../components/use-calls.ts'
import { formatCurl } from '../../curl.ts'
import { switchSession } from '../../place.ts'
import { overview } from '../../shell/overview.ts'
import { shown } from './listing.ts'
import { formatTest, toRequest } from './test-program.ts'

/** The largest number of requests to send again at once. */
const MAX_SENT = 200

const formats = [
  { name: 'curl', label: 'curl' },
  { name: 'test', label: 'Vitest test' },
] as const

interface ReplayProps {
  readonly entry: JournalEntry
  readonly members: readonly CastMember[]
}

/** Renders ways to send a request, or all that the list shows, again. */
export function Replay({ entry, members }: ReplayProps) {
  const [many, setMany] = useState<readonly number[]>()
  const listed = many ?? shown.value.filter(({ status }) => status !== 'pending').map(({ id }) => id)
  const ids = listed.slice(-MAX_SENT)
  const first = ids[0] ?? 1
  const query = { since: `${first - 1}`, limit: `${Math.min(1_000, (ids.at(-1) ?? 1) - first + 1)}` }
  const call = castResponse<{ readonly items: readonly JournalEntry[] }>(
    prepare('get', routes.requests, { query }),
  )
  const found = useRead(many && call).value?.items ?? []
  const entries = many ? found.filter(({ id }) => ids.includes(id)) : [entry]
  const choose = (isMany: boolean): void => setMany(isMany ? ids : undefined)
  return (
    <>
      <fieldset class="choices">
        <legend>Requests</legend>
        <label>
          <input type="radio" name="replayed" checked={!many} onChange={() => choose(false)} /> this one
        </label>
        <label>
          <input type="radio" name="replayed" checked={many !== undefined} onChange={() => choose(true)} />{' '}
          the {ids.length} in the list
        </label>
      </fieldset>
      <SendAgain entries={entries} members={members} />
      <Programs entries={entries} members={members} />
    </>
  )
}

interface EntriesProps {
  /** Order: as they were sent. */
  readonly entries: readonly JournalEntry[]
  readonly members: readonly CastMember[]
}

interface Outcome {
  readonly fork?: string
  readonly replayed?: readonly Replayed[]
  readonly error?: unknown
}

/** Renders a button that sends requests again in a copy of the session, and the differences of the responses. */
function SendAgain({ entries, members }: EntriesProps) {
  const [keepsFaults, setKeepsFaults] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [{ fork, replayed, error }, setOutcome] = useState<Outcome>({})
  const send = async (): Promise<void> => {
    setBusy(true)
    try {
      const id = await forkSession(
        `replay of request ${entries.map((one) => one.id).join(', ')}`.slice(0, 200),
      )
      if (!keepsFaults) await read({ ...prepare('delete', routes.faults), session: id })
      setOutcome({ fork: id, replayed: await replay(entries, id, members) })
    } catch (failure) {
      setOutcome({ error: failure })
    } finally {
      setBusy(false)
    }
  }
  return (
    <section aria-label="Replay">
      <p class="row">
        <button type="button" class="primary" disabled={isBusy} onClick={() => void send()}>
          {isBusy
            ? 'Sending…'
            : `Send ${entries.length > 1 ? `${entries.length} requests` : 'again'} in a fork`}
        </button>
        <label>
          <input
            type="checkbox"
            checked={keepsFaults}
            onChange={({ currentTarget }) => setKeepsFaults(currentTarget.checked)}
          />{' '}
          with this session’s faults
        </label>
      </p>
      <p class="hint">
        In a copy of this session, with the clock as it was then. This session does not change.
      </p>
      <Problem error={error} />
      {replayed && <ReplayedRequests replayed={replayed} />}
      {fork !== undefined && (
        <button type="button" class="small" onClick={() => switchSession(fork)}>
          Switch to {fork}
        </button>
      )}
    </section>
  )
}

/** Renders requests as commands, or as a test. */
function Programs({ entries, members }: EntriesProps) {
  const [format, setFormat] = useState<(typeof formats)[number]['name']>('curl')
  const faults = useRead(prepare('get', routes.faults)).value?.items ?? []
  const requests = entries.map((entry) => toRequest(entry, members))
  const text =
    format === 'curl'
      ? requests.map(formatCurl).join('\n\n')
      : formatTest(entries, { dataset: overview.value, faults, members })
  return (
    <section aria-label="As a program">
      <Tabs label="Format" tabs={formats} chosen={format} onChoose={setFormat}>
        <Code text={text} subject={format === 'curl' ? 'the request as curl' : 'the Vitest test'} />
      </Tabs>
      {requests.some(({ headers }) => headers['authorization']?.endsWith('***')) && (
        <p class="hint">
          The journal hides tokens, and this one belongs to no known member. Replace <code>***</code> with
          your token.
        </p>
      )}
    </section>
  )
}
