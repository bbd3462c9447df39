import { useState } from 'preact/hooks'

import type { Explanation } from '../../../explain/explain.ts'
import { prepare, routes } from '../../client.ts'
import { type CastMember, useCast } from '../../components/cast.tsx'
import { listValues } from '../../components/schema.ts'
import { Button, Card } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { param } from '../../place.ts'
import { type RecordProps, fillPath } from './contract.ts'

/** The number of members to show, besides the selected one; each costs a call for each scope. */
const SHOWN = 8

interface Question {
  readonly member: CastMember
  readonly scope: string
}

export function WhoSees({ operation, member, record }: RecordProps) {
  const isOwn = ({ organizationId }: CastMember): boolean => organizationId === record['organizationId']
  const rest = useCast().members.filter(({ id }) => id !== member.id)
  const own = rest.filter(isOwn).slice(0, SHOWN)
  const others = rest.filter((one) => !isOwn(one)).slice(0, 1)
  // From narrow to wide; an empty one if the list has none.
  const scopeParameter = operation.parameters.find(({ name }) => name === 'scope')
  const scopes = scopeParameter ? listValues(scopeParameter.schema).toReversed() : ['']
  const scope = scopes.find((one) => one === param('scope')) ?? scopes[0] ?? ''
  const [asked, ask] = useState<Question>()
  const chosen = asked ?? { member, scope }
  const explanation = useExplanation({ operation, record, question: chosen })
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
          {[member, ...own, ...others].map((one) => (
            <tr key={one.id}>
              <th scope="row">{one.name}</th>
              {scopes.map((each) => (
                <td key={each}>
                  <Mark
                    operation={operation}
                    record={record}
                    question={{ member: one, scope: each }}
                    isChosen={one.id === chosen.member.id && each === chosen.scope}
                    ask={ask}
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

interface AskedRecord extends Pick<RecordProps, 'operation' | 'record'> {
  readonly question: Question
}

function useExplanation({ operation, record, question }: AskedRecord): Explanation | undefined {
  const { member, scope } = question
  const address = fillPath(operation.path, record)
  const path = `${address}${scope && `?scope=${scope}`}`
  const json = { path, token: member.token, id: Number(record['id']) }
  return useRead(address ? prepare('post', routes.explain, { json }) : undefined).value
}

interface MarkProps extends AskedRecord {
  readonly isChosen: boolean
  readonly ask: (question: Question) => void
}

/** Renders whether a member sees the record; a click explains it. */
function Mark({ isChosen, ask, ...props }: MarkProps) {
  const explanation = useExplanation(props)
  const { member, scope } = props.question
  if (!explanation) return <>…</>
  const is = isSeen(explanation)
  return (
    <Button
      class={is ? 'small good' : 'small bad'}
      aria-label={`${member.name}, ${scope || 'list'}: ${is ? 'seen' : 'not seen'}`}
      pressed={isChosen}
      run={() => ask(props.question)}
    >
      {is ? '✓' : '✗'}
    </Button>
  )
}

const isSeen = ({ included, place }: Explanation): boolean => included === true || place !== undefined

interface ReasonsProps {
  readonly explanation: Explanation
  readonly question: Question
}

function Reasons({ explanation, question: { member, scope } }: ReasonsProps) {
  const { summary, conditions } = explanation
  const is = isSeen(explanation)
  const failed = conditions.flatMap(({ holds, text }) => (holds === false ? text : []))
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
