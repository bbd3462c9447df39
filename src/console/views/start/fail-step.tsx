import type { Fault } from '../../../faults/fault.ts'
import type { Call } from '../../calls.ts'
import { prepare, routes } from '../../client.ts'
import { Card } from '../../components/card.tsx'
import { AsCurl } from '../../components/code.tsx'
import { Problem } from '../../components/problem.tsx'
import { useRead, useChange } from '../../components/use-calls.ts'
import { requests } from '../../live.ts'
import { linkTo } from '../../place.ts'

const fail = prepare('post', routes.faults, { json: { status: 503, times: 1 } })

/** Renders a button that makes the next call fail, and then cancels it. */
export function FailStep() {
  const { value } = useRead(prepare('get', routes.faults))
  const { make, isBusy, error } = useChange()
  const faults = value?.items ?? []
  const failed = requests.value.filter(({ fault }) => fault !== undefined)
  const waiting = faults.find(
    (fault) => isNext(fault) && !failed.some((request) => request.fault === fault.id),
  )
  const latest = failed.findLast(({ fault }) => faults.some((own) => own.id === fault && isOnce(own)))
  const call: Call = waiting ? prepare('delete', routes.faults[':id'], { param: { id: waiting.id } }) : fail
  const click = (): void => {
    if (!isBusy)
      void make(call, waiting ? 'Canceled: the next call succeeds.' : 'The next call fails with 503.')
  }
  return (
    <Card title="Make the next call fail">
      <output class="start-says">
        {waiting ? (
          <>
            <span class="tag bad">503</span> The next call to the service fails with 503. The one after it
            succeeds.
          </>
        ) : latest ? (
          <>
            <a href={linkTo('requests', [`${latest.id}`])}>
              {latest.method} {latest.path}
            </a>{' '}
            failed with {latest.status}. Calls succeed again.
          </>
        ) : (
          'Makes the next call fail with 503. The one after it succeeds. Can your application handle it?'
        )}
      </output>
      {/* A separate element would lose the focus. */}
      <button type="button" class={waiting ? '' : 'primary'} onClick={click}>
        {waiting ? 'Cancel' : 'Fail the next call with 503'}
      </button>
      <AsCurl call={call} />
      <Problem error={error} />
      <p>
        {faults.some(({ left }) => left === null) && 'Other faults are active and may apply first. '}
        Delays, broken connections, rate limits: <a href={linkTo('control', ['faults'])}>all faults</a>.
      </p>
    </Card>
  )
}

/** Reports whether a fault affects only the next call. */
const isNext = (fault: Fault): boolean => isOnce(fault) && fault.left === 1

/** Reports whether a fault looks like one that this page adds. */
function isOnce({
  id: _id,
  matched: _matched,
  injected: _injected,
  left: _left,
  ...settings
}: Fault): boolean {
  const { status, times, ...others } = settings
  return status === 503 && times === 1 && Object.values(others).every((value) => value === undefined)
}
