import { useState } from 'preact/hooks'

import type { JournalEntry } from '../../../journal/view.ts'
import { change, read } from '../../calls.ts'
import { prepare, routes } from '../../client.ts'
import { announce } from '../../components/announcer.tsx'
import { Problem } from '../../components/problem.tsx'
import { sendToService } from '../../components/response.tsx'
import { StatusTag, type Status } from '../../components/status.tsx'
import { baseUrl } from '../../curl.ts'
import { session, switchSession } from '../../place.ts'
import { type Difference, compareBodies } from './compare.ts'
import { loadEntry } from './entry.ts'
import { getTarget } from './filter.ts'
import { type Tokens, toRequest } from './resend.ts'

/** A request that was sent again, with the differences of its response. */
interface Replayed {
  readonly entry: JournalEntry
  /** `failed` if there was no response. */
  readonly status: Status | 'failed'
  readonly differences: readonly Difference[]
}

/** The result of a replay. */
interface ReplayResult {
  /** The session in which the requests were sent. */
  readonly fork: string
  readonly replayed: readonly Replayed[]
}

interface ReplayProps {
  /** The ids of the requests to send. Order: as they were sent. */
  readonly ids: readonly number[]
  readonly tokens: Tokens
}

/** Renders a button that sends requests again into a copy of the session, and the differences of the responses. */
export function Replay({ ids, tokens }: ReplayProps) {
  const [keepsFaults, setKeepsFaults] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [result, setResult] = useState<ReplayResult>()
  const [error, setError] = useState<unknown>()
  const replay = async (): Promise<void> => {
    setBusy(true)
    setError(undefined)
    try {
      const found = await replayInFork(ids, tokens, keepsFaults)
      setResult(found)
      announce(`Sent ${ids.length} request${ids.length === 1 ? '' : 's'} again in session ${found.fork}.`)
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section aria-label="Replay">
      <p class="row">
        <button type="button" class="primary" disabled={isBusy} onClick={() => void replay()}>
          {isBusy ? 'Sending…' : `Send ${ids.length > 1 ? `${ids.length} requests` : 'again'} in a fork`}
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
      {result && <Result result={result} />}
    </section>
  )
}

/** Renders the responses of then and now, with their differences. */
function Result({ result: { fork, replayed } }: { readonly result: ReplayResult }) {
  const changed = replayed.filter(({ differences }) => differences.length > 0).length
  return (
    <div class="traffic-replayed">
      <p class="row">
        <strong>{changed === 0 ? 'The same responses' : `${changed} of ${replayed.length} differ`}</strong>
        <button type="button" class="small" onClick={() => switchSession(fork)}>
          Switch to {fork}
        </button>
      </p>
      <ul>
        {replayed.map(({ entry, status, differences }) => (
          <li key={entry.id}>
            {entry.method} {getTarget(entry)} <StatusTag status={entry.status} />
            {' → '}
            {status === 'failed' ? (
              <span class="tag odd">no response</span>
            ) : (
              <StatusTag status={status} />
            )}{' '}
            {differences.length === 0 ? (
              <span class="tag good">same</span>
            ) : (
              <dl class="facts traffic-pairs">
                {differences.map(({ path, before, after }) => (
                  <div key={path}>
                    <dt>{path || 'body'}</dt>
                    <dd>
                      <del>{format(before)}</del> <ins>{format(after)}</ins>
                    </dd>
                  </div>
                ))}
              </dl>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The length at which a value is cut. */
const MAX_LENGTH = 200

function format(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value).slice(0, MAX_LENGTH)
}

/** Sends requests again in a copy of the session, one after the other. Errors: RequestError. */
async function replayInFork(
  ids: readonly number[],
  tokens: Tokens,
  keepsFaults: boolean,
): Promise<ReplayResult> {
  const name = `replay of ${ids.length === 1 ? `request ${ids[0]}` : `${ids.length} requests`}`
  const from = session.peek() ?? 'default'
  const { id: fork } = await change(prepare('post', routes.sessions, { json: { from, name } }))
  if (!keepsFaults) await read({ ...prepare('delete', routes.faults), session: fork })
  const replayed: Replayed[] = []
  let time: string | undefined
  for (const id of ids) {
    // oxlint-disable no-await-in-loop -- one request after the other, as before
    const entry = await loadEntry(id)
    if (entry.time !== time) {
      await read({ ...prepare('put', routes.clock, { json: { now: entry.time } }), session: fork })
    }
    replayed.push(await sendAgain(entry, tokens, fork))
    time = entry.time
    // oxlint-enable no-await-in-loop
  }
  return { fork, replayed }
}

async function sendAgain(entry: JournalEntry, tokens: Tokens, fork: string): Promise<Replayed> {
  const url = `${baseUrl(fork)}${getTarget(entry).replace(/^\/v1(?=\/)/, '')}`
  try {
    const { status, text } = await sendToService({ ...toRequest(entry, tokens), url })
    const statuses = status === entry.status ? [] : [{ path: 'status', before: entry.status, after: status }]
    return { entry, status, differences: [...statuses, ...compareBodies(entry.response?.body, text)] }
  } catch {
    const differences =
      typeof entry.status === 'number' ? [{ path: 'status', before: entry.status, after: 'no response' }] : []
    return { entry, status: 'failed', differences }
  }
}
