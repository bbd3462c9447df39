import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import type { RequestSummary } from '../../journal/view.ts'
import { change, read } from '../calls.ts'
import { prepare, prepareFork, routes } from '../client.ts'
import { switchSession } from '../place.ts'
import { useCast } from './cast.tsx'
import { Differences } from './diff.tsx'
import { plural } from './format.tsx'
import { type Replayed, runAgain } from './run-again.ts'
import { StatusTag } from './status.tsx'
import { Button, Problem, RequestLink } from './ui.tsx'

function ReplayedRequests({ replayed }: { readonly replayed: readonly Replayed[] }) {
  const compared = replayed.filter(({ obstacle }) => obstacle === undefined)
  const changed = compared.filter(({ isChanged }) => isChanged)
  const others = replayed.length - compared.length
  return (
    <div class="replayed" aria-live="polite">
      <p>
        <b>
          {changed.length} of {compared.length}
        </b>{' '}
        {compared.length === 1 ? 'response' : 'responses'} changed.
        {others > 0 && ` ${others} not comparable:`}
      </p>
      <ul>
        {replayed.map(
          ({ request: { id }, obstacle }) =>
            obstacle !== undefined && (
              <li key={id}>
                <RequestLink id={id}>Request {id}</RequestLink>: {obstacle}.
              </li>
            ),
        )}
      </ul>
      {changed.map(({ request, before, after, count }) => (
        <details key={request.id} open={changed.length === 1}>
          <summary>
            <StatusTag status={before.status} /> → <StatusTag status={after.status} /> {request.method}{' '}
            {request.path} <span class="hint">{plural(count, 'difference')}</span>
          </summary>
          <p>
            <RequestLink id={request.id}>Request {request.id}</RequestLink>
          </p>
          <Differences before={before.body} after={after.body} />
        </details>
      ))}
    </div>
  )
}

/** Copies the page's session, and returns the id of the copy. Errors: RequestError. */
async function openFork(name: string, keepsFaults: boolean, assumptions?: object): Promise<string> {
  const { id } = await change(prepareFork({ name: name.slice(0, 200), assumptions }))
  if (!keepsFaults) await read({ ...prepare('delete', routes.faults), session: id })
  return id
}

const prepareDelete = (id: string) => prepare('delete', routes.sessions[':id'], { param: { id } })

interface ReplayButtonProps {
  readonly class: string
  readonly name: string
  /** Lists the requests to send. Order: as they were sent. */
  readonly list: () => readonly RequestSummary[] | Promise<readonly RequestSummary[]>
  /** The assumptions that differ between two copies without faults; absent to compare one with the recorded responses. */
  readonly assumptions?: object
  readonly keepsFaults?: boolean
  readonly children: ComponentChildren
}

export function ReplayButton({ name, list, assumptions, keepsFaults = true, ...button }: ReplayButtonProps) {
  const cast = useCast()
  const [isBusy, setBusy] = useState(false)
  const [{ fork, replayed, error }, setOutcome] = useState<ReplayOutcome>({})
  const run = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    let base: string | undefined
    try {
      const requests = await list()
      const copy = await openFork(name, keepsFaults && !assumptions, assumptions)
      if (assumptions) base = await openFork(`without ${name}`, false)
      setOutcome({ fork: copy, replayed: await runAgain(requests, { fork: copy, base }, cast) })
    } catch (failure) {
      setOutcome({ error: failure })
    } finally {
      // A copy that cannot be deleted expires.
      if (base !== undefined) await change(prepareDelete(base)).catch(() => undefined)
      setBusy(false)
    }
  }
  return (
    <>
      <Button {...button} aria-disabled={isBusy} run={run} />
      <Problem error={error} />
      {replayed && <ReplayedRequests replayed={replayed} />}
      {fork !== undefined && (
        <Button class="small" run={() => switchSession(fork)}>
          Switch to {fork}, a fork of this session
        </Button>
      )}
    </>
  )
}

interface ReplayOutcome {
  readonly fork?: string
  readonly replayed?: readonly Replayed[]
  readonly error?: unknown
}
