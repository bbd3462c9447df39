import type { Fault } from '../../../control/faults/faults.ts'
import type { Call } from '../../calls.ts'
import { requests } from '../../live.ts'
import { AsCurl } from '../../parts/as-curl.tsx'
import { Card } from '../../parts/card.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useAnswer } from '../../parts/use-answer.ts'
import { useChange } from '../../parts/use-change.ts'
import { addressOf } from '../../place.ts'

const fail: Call = { method: 'POST', path: '/_sandbox/faults', body: { status: 503, times: 1 } }

/** One click that makes the next call fail, and one that takes it back. */
export function FailStep() {
  const { value } = useAnswer<{ readonly items: readonly Fault[] }>({ path: '/_sandbox/faults' })
  const { make, isBusy, error } = useChange()
  const faults = value?.items ?? []
  const failed = requests.value.filter(({ fault }) => fault !== undefined)
  const waiting = faults.find(
    (fault) => isNext(fault) && !failed.some((request) => request.fault === fault.id),
  )
  const latest = failed.findLast(({ fault }) => faults.some((own) => own.id === fault && isOnce(own)))
  const call: Call = waiting ? { method: 'DELETE', path: `/_sandbox/faults/${waiting.id}` } : fail
  const click = (): void => {
    if (!isBusy)
      void make(call, waiting ? 'Taken back: the next call succeeds.' : 'The next call fails with 503.')
  }
  return (
    <Card title="Make the next call fail">
      <output class="start-says">
        {waiting ? (
          <>
            <span class="tag bad">503</span> The next call to the service, whichever it is, is answered 503.
            The one after it succeeds.
          </>
        ) : latest ? (
          <>
            <a href={addressOf('requests', [`${latest.id}`])}>
              {latest.method} {latest.path}
            </a>{' '}
            was answered {latest.status}. Calls succeed again.
          </>
        ) : (
          'One call is answered 503, whichever comes next; the one after it succeeds. Does your application cope?'
        )}
      </output>
      {/* Another element would lose the focus. */}
      <button type="button" class={waiting ? '' : 'primary'} onClick={click}>
        {waiting ? 'Take it back' : 'Fail the next call with 503'}
      </button>
      <AsCurl call={call} />
      <Problem error={error} />
      <p>
        {faults.some(({ left }) => left === null) && 'Other faults are in force, and may act first. '}
        Delays, broken connections, rate limits: <a href={addressOf('steer', ['faults'])}>all faults</a>.
      </p>
    </Card>
  )
}

/** Whether a fault acts on the next call, and on no other. */
const isNext = (fault: Fault): boolean => isOnce(fault) && fault.left === 1

/** Whether a fault is one that this page adds. */
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
