import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import type { ExplainedCondition } from '../../../explain/conditions.ts'
import type { ExplainInput, Explanation } from '../../../explain/explain.ts'
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

export function Why({ request, basis }: WhyProps) {
  const { id, fault, method, operationId, status, warnings, caller } = request
  const { member } = useCast()
  const isUnknown = caller === undefined && method === 'GET' && operationId !== undefined
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
      {status !== 'pending' && <Explain request={request} input={{ requestId: id }} />}
      {isUnknown && member && (
        <Explain request={request} input={{ path: getTarget(request), token: member.token }}>
          <MemberSelect label="As" />
        </Explain>
      )}
      {basis && !basis.isFault && <Basis basis={basis} />}
    </>
  )
}

const Other = ({ id }: { readonly id: number }) => (
  <>
    <a href={linkToRequest(id)}>request {id}</a>{' '}
  </>
)

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

function describeUse({ injected, left }: Fault): string {
  const done = `Applied ${injected === 1 ? 'once' : `${injected} times`}`
  if (left === null) return `${done}.`
  return left === 0 ? `${done}, used up.` : `${done}, ${left} more to come.`
}

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
  readonly input: ExplainInput
  readonly children?: ComponentChildren
}

function Explain({ request, input, children }: ExplainProps) {
  const [draft, setDraft] = useState('')
  const [id, setId] = useState('')
  const json = { ...input, ...(id !== '' && { id: Number(id) }) }
  const { value, error } = useRead(prepare('post', routes.explain, { json }))
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    setId(draft)
  }
  const name = children ? 'Explain with another token' : 'Explain'
  return (
    <section aria-label={name}>
      <h3>{name}</h3>
      <form class="row" onSubmit={submit}>
        {children}
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
      {value && <Reasons explanation={value} />}
    </section>
  )
}

/** Renders an explanation; of a recorded request, first that of the record. */
function Reasons({ explanation }: { readonly explanation: Explanation }) {
  const { included, summary, conditions, requestId, causes = [], now } = explanation
  const others = new Set(causes.flatMap((cause) => cause.requestId ?? []))
  const isSame = JSON.stringify(conditions) === JSON.stringify(now?.conditions)
  return (
    <div aria-live="polite">
      <p>
        {included !== undefined && (
          <span class={included ? 'tag good' : 'tag warn'}>{included ? 'included' : 'not included'}</span>
        )}{' '}
        {summary} {[...others].map((other) => other !== requestId && <Other key={other} id={other} />)}
      </p>
      <Conditions conditions={conditions} />
      {now && !isSame && (
        <details>
          <summary>The conditions now</summary>
          <Conditions conditions={now.conditions} />
        </details>
      )}
      <p class="hint">
        {now
          ? 'Based on the data, clock and assumptions of then, and of now, without faults.'
          : 'Based on the current data, clock, assumptions and scenarios, without faults.'}
      </p>
    </div>
  )
}

const Conditions = ({ conditions }: { readonly conditions: readonly ExplainedCondition[] }) => (
  <ol>
    {conditions.map((condition) => (
      <Condition key={condition.name + condition.text} condition={condition} />
    ))}
  </ol>
)

function Condition({ condition }: { readonly condition: ExplainedCondition }) {
  const { name, holds, text, requested, found, matchesAlone, matchesSoFar } = condition
  const facts = [
    requested === undefined ? '' : `requested ${JSON.stringify(requested)}`,
    found === undefined ? '' : `found ${JSON.stringify(found)}`,
    matchesAlone === undefined ? '' : `${matchesAlone} match`,
    matchesSoFar === undefined ? '' : `${matchesSoFar} left`,
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
