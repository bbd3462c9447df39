import type { Fault } from '../../../control/faults/faults.ts'
import type { RequestBasis, RequestSummary } from '../../../control/journal/view.ts'
import { useAnswer } from '../../parts/use-answer.ts'
import { addressOf, session } from '../../place.ts'
import { addressOfRequest } from './address.ts'
import { Pairs } from './pairs.tsx'

/** What a careful reviewer would say of a request; nothing where that is nothing. */
export function Warnings({ request: { id, warnings } }: { readonly request: RequestSummary }) {
  if (warnings.length === 0) return null
  return (
    <section class="request-part">
      <h3>Warnings</h3>
      <ul class="request-warnings">
        {warnings.map(({ code, message, requestIds }) => (
          <li key={`${code} ${message}`}>
            <span class="tag warn">{code}</span> {message}
            <Others ids={requestIds.filter((other) => other !== id)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Others({ ids }: { readonly ids: readonly number[] }) {
  if (ids.length === 0) return null
  return (
    <>
      {'. See '}
      {ids.map((id, place) => (
        <>
          {place > 0 && ', '}
          <a key={id} href={addressOfRequest(id)}>
            request {id}
          </a>
        </>
      ))}
    </>
  )
}

/** The fault that answered a request, as far as it is still known. */
export function FaultOf({ id }: { readonly id: string }) {
  const { value } = useAnswer<{ readonly items: readonly Fault[] }>({ path: '/_sandbox/faults' })
  const found = value?.items.find((fault) => fault.id === id)
  const { id: _id, matched: _matched, injected: _injected, left: _left, ...settings } = found ?? { id }
  return (
    <section class="request-part">
      <h3>Fault</h3>
      <p>
        {id === 'prefer' ? (
          <>
            The request asked for this itself, by its header <code>Prefer</code>.
          </>
        ) : (
          <>
            <span class="tag odd">{id}</span> answered in place of the service, or broke it off.{' '}
            {found && doneBy(found)} {value && !found && 'It has been removed since.'}{' '}
            <a href={addressOf('steer', ['faults'])}>Steer the faults</a>
          </>
        )}
      </p>
      {found && <Pairs pairs={Object.entries(settings).map(([name, set]) => [name, JSON.stringify(set)])} />}
    </section>
  )
}

/** What a fault has done, and will. */
function doneBy({ injected, left }: Fault): string {
  const done = `It has done so ${timesText(injected)}`
  if (left === null) return `${done}.`
  return left === 0 ? `${done}, and is spent.` : `${done}, and does it ${timesText(left)} more.`
}

const timesText = (count: number): string => (count === 1 ? 'once' : `${count} times`)

/** What an answer rests on besides documented rules. */
export function Basis({ basis }: { readonly basis: RequestBasis }) {
  if (basis.isFault) return null
  const search = session.value === undefined ? '' : `?${new URLSearchParams({ session: session.value })}`
  return (
    <section class="request-part">
      <h3>Rests on</h3>
      {basis.assumptions.length === 0 ? (
        <p>
          <span class="tag good">documented rules only</span>
        </p>
      ) : (
        <>
          <p>Documented rules, and what the sandbox decides where the document is silent:</p>
          <ul class="request-assumptions">
            {basis.assumptions.map(({ id, subject }) => (
              <li key={id}>
                <a href={addressOf('steer', ['assumptions'], new URLSearchParams({ id }))}>{id}</a> {subject}
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="hint">
        <a href={`/docs${search}`}>The reference</a> marks each of them where it matters.
      </p>
    </section>
  )
}
