import { useEffect, useState } from 'preact/hooks'

import type { Explanation } from '../../../explain/explain.ts'
import { RequestError, read, revision } from '../../calls.ts'
import { prepare, routes } from '../../client.ts'
import { Card } from '../../components/card.tsx'
import { type CastMember, useCast } from '../../components/cast.ts'
import { listValues } from '../../components/schema.ts'
import { place, session } from '../../place.ts'
import { type ListOperation, fillPath } from './contract.ts'
import type { AnyRecord } from './labels.ts'

/** The number of members to ask at first; each costs a call for each scope. */
const SHOWN = 8

interface WhoSeesProps {
  readonly operation: ListOperation
  readonly member: CastMember
  readonly record: AnyRecord
}

/** Shows which members get a record in a list, at which scope, and the rule that excludes it. */
export function WhoSees({ operation, member, record }: WhoSeesProps) {
  const { members } = useCast()
  const [isAll, setAll] = useState(false)
  const [asked, setAsked] = useState<Place>()
  const organizationId = String(record['organizationId'])
  const own = members.filter((one) => one.organizationId === organizationId)
  const others = members.filter((one) => one.organizationId !== organizationId)
  const shown = isAll ? [...own, ...others] : [...own.slice(0, SHOWN), ...others.slice(0, 1)]
  const listed = shown.some(({ id }) => id === member.id) ? shown : [member, ...shown]
  const scopes = listScopes(operation)
  const answers = useAnswers(operation, record, listed, scopes)
  const { id: chosenId, scope: chosenScope } = asked ?? {
    id: member.id,
    scope: scopes.find((scope) => scope === place.value.query.get('scope')) ?? scopes[0] ?? '',
  }
  const chosen = members.find(({ id }) => id === chosenId)
  const answer = answers?.get(`${chosenId} ${chosenScope}`)
  return (
    <Card title="Who sees this?">
      <table class="data-sight">
        <caption>{operation.id}</caption>
        <thead>
          <tr>
            <th scope="col">Member</th>
            {scopes.map((scope) => (
              <th key={scope} scope="col">
                {scope || 'list'}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {listed.map(({ id, name }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              {scopes.map((scope) => (
                <td key={scope}>
                  <Mark
                    answer={answers?.get(`${id} ${scope}`)}
                    label={`${name}, ${scope || 'list'}`}
                    isChosen={id === chosenId && scope === chosenScope}
                    choose={() => setAsked({ id, scope })}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div class="data-reason" aria-live="polite">
        {answer && (
          <>
            <p>
              <strong>
                {chosen?.name} {isSeen(answer) ? 'sees it' : 'does not see it'}
                {chosenScope && ` with scope=${chosenScope}`}.
              </strong>
            </p>
            {listReasons(answer).map((reason) => (
              <p key={reason}>{reason}</p>
            ))}
          </>
        )}
      </div>
      {!isAll && shown.length < members.length && (
        <button type="button" class="small" onClick={() => setAll(true)}>
          Ask all {members.length} members
        </button>
      )}
    </Card>
  )
}

interface Place {
  readonly id: number
  readonly scope: string
}

/** Lists the scopes of an operation, from narrow to wide; an empty one if it has none. */
function listScopes({ parameters }: ListOperation): readonly string[] {
  const scope = parameters.find(({ name }) => name === 'scope')
  return scope ? listValues(scope.schema).toReversed() : ['']
}

interface MarkProps {
  readonly answer: Explanation | undefined
  readonly label: string
  readonly isChosen: boolean
  readonly choose: () => void
}

/** Renders whether a member sees the record; a click explains it. */
function Mark({ answer, label, isChosen, choose }: MarkProps) {
  if (!answer) return <>…</>
  const is = isSeen(answer)
  return (
    <button
      type="button"
      class={`small ${is ? 'is-seen' : 'is-hidden'}`}
      aria-label={`${label}: ${is ? 'seen' : 'not seen'}`}
      aria-pressed={isChosen}
      onClick={choose}
    >
      {is ? '✓' : '✗'}
    </button>
  )
}

/** Reports whether the record matches, on whichever page. */
const isSeen = ({ included, place: found }: Explanation): boolean => included === true || found !== undefined

/** Lists the rules that exclude the record, or where it is found. */
function listReasons(answer: Explanation): readonly string[] {
  const { summary, conditions } = answer
  if (isSeen(answer)) return [summary]
  return conditions.flatMap(({ holds, text }) => (holds === false ? text : []))
}

type Answers = ReadonlyMap<string, Explanation>

/** Asks for each member and scope whether and why the list has the record. */
function useAnswers(
  { path }: ListOperation,
  record: AnyRecord,
  members: readonly CastMember[],
  scopes: readonly string[],
): Answers | undefined {
  const [answers, setAnswers] = useState<Answers>()
  const id = Number(record['id'])
  const values = Object.entries(record).map(([name, value]) => [name, String(value)])
  const address = fillPath(path, Object.fromEntries(values))
  const tokens = members.map(({ token }) => token).join(' ')
  useEffect(() => {
    if (address === undefined) return undefined
    const controller = new AbortController()
    const ask = async ({ id: memberId, token }: CastMember, scope: string) => {
      const query = scope === '' ? '' : `?scope=${scope}`
      const call = prepare('post', routes.explain, { json: { path: `${address}${query}`, token, id } })
      return [`${memberId} ${scope}`, await read(call, controller.signal)] as const
    }
    Promise.all(members.flatMap((one) => scopes.map((scope) => ask(one, scope)))).then(
      (found) => setAnswers(new Map(found)),
      (error: unknown) => {
        if (!controller.signal.aborted && !(error instanceof RequestError)) throw error
      },
    )
    return () => controller.abort()
  }, [address, id, tokens, session.value, revision.value])
  return answers
}
