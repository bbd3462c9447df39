import type { Fault } from '../../../testing/faults/fault.ts'
import type { RequestSummary } from '../../../testing/journal/view.ts'
import { prepare, routes } from '../../client.ts'
import { useRead } from '../../components/use-calls.ts'
import { linkTo } from '../../place.ts'
import { describeEffect } from '../control/fault-text.ts'
import { linkToRequest } from './listing.ts'

interface WarningsProps {
  readonly request: Pick<RequestSummary, 'id' | 'fault' | 'warnings'>
}

/** Renders what the journal knows about a response: its warnings, and the fault that acted. */
export function Warnings({ request: { id, fault, warnings } }: WarningsProps) {
  return (
    <>
      {warnings.length > 0 && (
        <section aria-label="Warnings">
          <h2>Warnings</h2>
          <ul>
            {warnings.map(({ code, message, requestIds }) => (
              <li key={code + message}>
                <span class="tag warn">{code}</span> {message}
                {requestIds.some((other) => other !== id) && '. See '}
                {requestIds.map(
                  (other) =>
                    other !== id && (
                      <a key={other} href={linkToRequest(other)}>
                        request {other}{' '}
                      </a>
                    ),
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {fault !== undefined && <FaultSection id={fault} />}
    </>
  )
}

function FaultSection({ id }: { id: string }) {
  const { value } = useRead(prepare('get', routes.faults))
  const found = value?.items.find((fault) => fault.id === id)
  return (
    <section aria-label="Fault">
      <h2>Fault</h2>
      <p>
        {id === 'prefer' && 'The request set it itself with its header Prefer.'}
        {found && <b title={id}>{describeEffect(found)}</b>} {found && describeUse(found)}
        {value && !found && id !== 'prefer' && 'It has been removed since.'}{' '}
        <a href={linkTo('control', ['faults'])}>Manage faults</a>
      </p>
    </section>
  )
}

function describeUse({ injected, left }: Fault): string {
  const done = `Applied ${injected === 1 ? 'once' : `${injected} times`}`
  if (left === null) return `${done}.`
  return left === 0 ? `${done}, used up.` : `${done}, ${left} more to come.`
}
