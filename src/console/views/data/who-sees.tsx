import { useState } from 'preact/hooks'

import type { Explanation } from '../../../explain/explain.ts'
import { prepare, routes } from '../../client.ts'
import { type CastMember, useCast } from '../../components/cast.tsx'
import { Card } from '../../components/layout.tsx'
import { listValues } from '../../components/schema.ts'
import { useRead } from '../../components/use-calls.ts'
import { place } from '../../place.ts'
import { type ListOperation, fillPath } from './contract.ts'
import type { AnyRecord } from './labels.ts'

/** The number of members to show, besides the selected one; each costs a call for each scope. */
const SHOWN = 8

interface WhoSeesProps {
  readonly operation: ListOperation
  readonly member: CastMember
  readonly record: AnyRecord
}

/** Shows which members get a record in a list, at which scope, and the rule that excludes it. */
export function WhoSees({ operation, member, record }: WhoSeesProps) {
  const { members } = useCast()
  const isOwn = ({ organizationId }: CastMember): boolean => organizationId === record['organizationId']
  const rest = members.filter(({ id }) => id !== member.id)
  const own = rest.filter(isOwn).slice(0, SHOWN)
  const others = rest.filter((one) => !isOwn(one)).slice(0, 1)
  const shown = [member, ...own, ...others]
  const scopes = listScopes(operation)
  const scope = scopes.find((one) => one === place.value.query.get('scope')) ?? scopes[0] ?? ''
  const [asked, setAsked] = useState<Question>()
  const chosen = asked ?? { member, scope }
  const explanation = useExplanation(operation, record, chosen)
  return (
    <Card title="Who sees this?">
      <table class="data-sight">
        <caption>{operation.id}</caption>
        <thead>
          <tr>
            <th scope="col">Member</th>
            {scopes.map((one) => (
              <th key={one} scope="col">
                {one || 'list'}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => (
            <tr key={one.id}>
              <th scope="row">{one.name}</th>
              {scopes.map((each) => (
                <td key={each}>
                  <Mark
                    operation={operation}
                    record={record}
                    question={{ member: one, scope: each }}
                    isChosen={one.id === chosen.member.id && each === chosen.scope}
                    ask={setAsked}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div aria-live="polite">{explanation && <Reasons explanation={explanation} question={chosen} />}</div>
      <p class="hint">Select another member under “As seen by” to add them.</p>
    </Card>
  )
}

/** A member and a scope, empty if the list has none. */
interface Question {
  readonly member: CastMember
  readonly scope: string
}

/** Lists the scopes of an operation, from narrow to wide; an empty one if it has none. */
function listScopes({ parameters }: ListOperation): readonly string[] {
  const scope = parameters.find(({ name }) => name === 'scope')
  return scope ? listValues(scope.schema).toReversed() : ['']
}

/** Asks whether and why a list has a record. */
function useExplanation(
  { path }: ListOperation,
  record: AnyRecord,
  { member: { token }, scope }: Question,
): Explanation | undefined {
  const values = Object.entries(record).map(([name, value]) => [name, String(value)])
  const address = fillPath(path, Object.fromEntries(values))
  const query = scope === '' ? '' : `?scope=${scope}`
  const json = address && { path: `${address}${query}`, token, id: Number(record['id']) }
  return useRead(json ? prepare('post', routes.explain, { json }) : undefined).value
}

interface MarkProps {
  readonly operation: ListOperation
  readonly record: AnyRecord
  readonly question: Question
  readonly isChosen: boolean
  readonly ask: (question: Question) => void
}

/** Renders whether a member sees the record; a click explains it. */
function Mark({ operation, record, question, isChosen, ask }: MarkProps) {
  const explanation = useExplanation(operation, record, question)
  if (!explanation) return <>…</>
  const is = isSeen(explanation)
  return (
    <button
      type="button"
      class={is ? 'small good' : 'small bad'}
      aria-label={`${question.member.name}, ${question.scope || 'list'}: ${is ? 'seen' : 'not seen'}`}
      aria-pressed={isChosen}
      onClick={() => ask(question)}
    >
      {is ? '✓' : '✗'}
    </button>
  )
}

/** Reports whether the record matches, on whichever page. */
const isSeen = ({ included, place: found }: Explanation): boolean => included === true || found !== undefined

interface ReasonsProps {
  readonly explanation: Explanation
  readonly question: Question
}

/** Renders the rules that exclude the record, or where it is found. */
function Reasons({ explanation, question: { member, scope } }: ReasonsProps) {
  const { summary, conditions } = explanation
  const failed = conditions.flatMap(({ holds, text }) => (holds === false ? text : []))
  const is = isSeen(explanation)
  return (
    <>
      <p>
        <strong>
          {member.name} {is ? 'sees it' : 'does not see it'}
          {scope && ` with scope=${scope}`}.
        </strong>
      </p>
      {(is ? [summary] : failed).map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
    </>
  )
}
