import { useState } from 'preact/hooks'

import type { ExplainedCondition } from '../../../explain/conditions.ts'
import type { RequestBasis } from '../../../explain/report.ts'
import type { Fault } from '../../../faults/fault.ts'
import type { RequestSummary } from '../../../journal/view.ts'
import { prepare, routes } from '../../client.ts'
import { MemberSelect, useCast } from '../../components/cast.tsx'
import { Facts, Problem } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { getTarget } from '../../curl.ts'
import { linkTo, session } from '../../place.ts'
import { linkToRequest } from './listing.ts'

interface WhyProps {
  readonly request: RequestSummary
  /** Undefined or null until the response is known. */
  readonly basis: RequestBasis | null | undefined
}

/** Renders the reasons for a response: warnings, the fault, the service's conditions, and assumptions. */
export function Why({ request, basis }: WhyProps) {
  const { id, fault, method, operationId, warnings, caller } = request
  const { members, member } = useCast()
  const own = members.find((one) => one.id === caller?.id)
  const token = (own ?? member)?.token
  return (
    <>
      {warnings.length > 0 && (
        <section aria-label="Warnings">
          <h3>Warnings</h3>
          <ul>
            {warnings.map(({ code, message, requestIds }) => (
              <li key={code + message}>
                <span class="tag warn">{code}</span> {message}
                {requestIds.some((other) => other !== id) && '. See '}
                {requestIds.map((other) => other !== id && <Other key={other} id={other} />)}
              </li>
            ))}
          </ul>
        </section>
      )}
      {fault !== undefined && <FaultSection id={fault} />}
      {method === 'GET' && operationId !== undefined && token !== undefined && (
        <Explain request={request} token={token} isCallers={own !== undefined} />
      )}
      {basis && !basis.isFault && <Basis basis={basis} />}
    </>
  )
}

/** Renders a link to another request that keeps the list's filter. */
const Other = ({ id }: { readonly id: number }) => (
  <>
    <a href={linkToRequest(id)}>request {id}</a>{' '}
  </>
)

/** Renders the fault that acted on a request. */
function FaultSection({ id }: { readonly id: string }) {
  const { value } = useRead(prepare('get', routes.faults))
  const found = value?.items.find((fault) => fault.id === id)
  const { id: _id, matched: _matched, injected: _injected, left: _left, ...settings } = found ?? { id }
  return (
    <section aria-label="Fault">
      <h3>Fault</h3>
      {id === 'prefer' ? (
        <p>
          The request set this fault itself with its <code>Prefer</code> header.
        </p>
      ) : (
        <p>
          <span class="tag odd">⚡ {id}</span> replaced, delayed or interrupted the response.{' '}
          {found && describeUse(found)} {value && !found && 'It has been removed since.'}{' '}
          <a href={linkTo('control', ['faults'])}>Manage faults</a>
        </p>
      )}
      <Facts facts={Object.entries(settings).map(([name, set]) => [name, JSON.stringify(set)])} />
    </section>
  )
}

/** Describes how often a fault was applied and will be. */
function describeUse({ injected, left }: Fault): string {
  const done = `Applied ${injected === 1 ? 'once' : `${injected} times`}`
  if (left === null) return `${done}.`
  return left === 0 ? `${done}, used up.` : `${done}, ${left} more to come.`
}

/** Renders the assumptions that a response depends on. */
function Basis({ basis: { assumptions } }: { readonly basis: RequestBasis }) {
  const search = session.value === undefined ? '' : `?${new URLSearchParams({ session: session.value })}`
  return (
    <section aria-label="Depends on">
      <h3>Depends on</h3>
      <p>
        {assumptions.length === 0 ? (
          <span class="tag good">documented rules only</span>
        ) : (
          'Documented rules, and these assumptions where the documentation is silent:'
        )}
      </p>
      <ul>
        {assumptions.map(({ id, subject }) => (
          <li key={id}>
            <a href={linkTo('control', ['assumptions'], { id })}>{id}</a> {subject}
          </li>
        ))}
      </ul>
      <p class="hint">
        <a href={`/docs${search}`}>The reference</a> marks where each one applies.
      </p>
    </section>
  )
}

interface ExplainProps {
  readonly request: RequestSummary
  readonly token: string
  /** Whether the token belongs to the request's caller. */
  readonly isCallers: boolean
}

/** Renders the conditions behind a response, and why a record is, or is not, in it. */
function Explain({ request, token, isCallers }: ExplainProps) {
  const [draft, setDraft] = useState('')
  const [id, setId] = useState('')
  const json = { path: getTarget(request), token, ...(id !== '' && { id: Number(id) }) }
  const { value, error } = useRead(prepare('post', routes.explain, { json }))
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    setId(draft)
  }
  return (
    <section aria-label="Explain">
      <h3>Explain</h3>
      <form class="row" onSubmit={submit}>
        {!isCallers && <MemberSelect label="As" />}
        {request.operationId?.startsWith('list') && (
          <>
            <label class="field">
              Record id{' '}
              <input
                inputMode="numeric"
                pattern="[0-9]{1,15}"
                value={draft}
                onInput={({ currentTarget }) => setDraft(currentTarget.value)}
              />
            </label>
            <button type="submit">Why is it in the response, or why not?</button>
          </>
        )}
      </form>
      <Problem error={error} />
      {value && (
        <div aria-live="polite">
          <p>
            {value.included !== undefined && (
              <span class={value.included ? 'tag good' : 'tag warn'}>
                {value.included ? 'included' : 'not included'}
              </span>
            )}{' '}
            {value.summary}
          </p>
          <ol>
            {value.conditions.map((condition) => (
              <Condition key={condition.name + condition.text} condition={condition} />
            ))}
          </ol>
          <p class="hint">Based on the current data, clock and assumptions, without faults.</p>
        </div>
      )}
    </section>
  )
}

function Condition({ condition }: { readonly condition: ExplainedCondition }) {
  const { name, holds, text, asked, found, alone, left } = condition
  const facts = [
    asked === undefined ? '' : `requested ${JSON.stringify(asked)}`,
    found === undefined ? '' : `found ${JSON.stringify(found)}`,
    alone === undefined ? '' : `${alone} match`,
    left === undefined ? '' : `${left} left`,
  ].filter(Boolean)
  return (
    <li>
      <strong>{name}</strong>{' '}
      {holds !== undefined && (
        <span class={holds ? 'tag good' : 'tag bad'}>{holds ? 'holds' : 'does not hold'}</span>
      )}{' '}
      {text} {facts.length > 0 && <span class="hint">({facts.join(', ')})</span>}
    </li>
  )
}
