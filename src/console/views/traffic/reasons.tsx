import type { RequestBasis } from '../../../explain/report.ts'
import type { Fault } from '../../../faults/fault.ts'
import type { RequestSummary } from '../../../journal/view.ts'
import { prepare, routes } from '../../client.ts'
import { useRead } from '../../components/use-calls.ts'
import { linkTo, session } from '../../place.ts'
import { linkToRequest } from './filter.ts'
import { Pairs } from './message.tsx'

/** Renders the warnings about a request. */
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
          <a key={id} href={linkToRequest(id)}>
            request {id}
          </a>
        </>
      ))}
    </>
  )
}

/** Renders the fault that affected a request. */
export function FaultSection({ id }: { readonly id: string }) {
  const { value } = useRead(prepare('get', routes.faults))
  const found = value?.items.find((fault) => fault.id === id)
  const { id: _id, matched: _matched, injected: _injected, left: _left, ...settings } = found ?? { id }
  return (
    <section class="request-part">
      <h3>Fault</h3>
      <p>
        {id === 'prefer' ? (
          <>
            The request set this fault itself with its <code>Prefer</code> header.
          </>
        ) : (
          <>
            <span class="tag odd">{id}</span> replaced or interrupted the response.{' '}
            {found && describeUse(found)} {value && !found && 'It has been removed since.'}{' '}
            <a href={linkTo('control', ['faults'])}>Manage faults</a>
          </>
        )}
      </p>
      {found && <Pairs pairs={Object.entries(settings).map(([name, set]) => [name, JSON.stringify(set)])} />}
    </section>
  )
}

/** Describes how often a fault was applied and will be. */
function describeUse({ injected, left }: Fault): string {
  const done = `Applied ${formatTimes(injected)}`
  if (left === null) return `${done}.`
  return left === 0 ? `${done}, used up.` : `${done}, ${left} more to come.`
}

const formatTimes = (count: number): string => (count === 1 ? 'once' : `${count} times`)

/** Renders the assumptions that a response depends on. */
export function Basis({ basis }: { readonly basis: RequestBasis }) {
  if (basis.isFault) return null
  const search = session.value === undefined ? '' : `?${new URLSearchParams({ session: session.value })}`
  return (
    <section class="request-part">
      <h3>Depends on</h3>
      {basis.assumptions.length === 0 ? (
        <p>
          <span class="tag good">documented rules only</span>
        </p>
      ) : (
        <>
          <p>Documented rules, and these assumptions where the documentation is silent:</p>
          <ul class="request-assumptions">
            {basis.assumptions.map(({ id, subject }) => (
              <li key={id}>
                <a href={linkTo('control', ['assumptions'], new URLSearchParams({ id }))}>{id}</a> {subject}
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="hint">
        <a href={`/docs${search}`}>The reference</a> marks where each one applies.
      </p>
    </section>
  )
}
