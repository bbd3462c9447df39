import { unpaginatedLists } from '../contract/assumptions.ts'
import type { Verdict } from '../contract/calibration.ts'
import { type Answer, isSuccess } from './answers.ts'
import { describeType } from './paths.ts'
import { type BodyForm, readBody } from './records.ts'

/** Judges the envelopes of lists without pagination, each operation by itself. Source: assumption A-02. */
export function judgeEnvelopes(answers: readonly Answer[]): Verdict {
  const seen = answers.flatMap((answer) => {
    const { form } = readBody(answer)
    const isList = unpaginatedLists.some((id) => id === answer.endpoint.id)
    return isList && isSuccess(answer) && form !== 'record' ? [{ answer, form, id: answer.endpoint.id }] : []
  })
  const counts = { answers: seen.length, records: 0 }
  const formsOf = (id: string): ReadonlySet<BodyForm> =>
    new Set(seen.flatMap((one) => (one.id === id ? [one.form] : [])))
  const other = seen.find(({ form }) => form === 'other')
  const described = { ...counts, ...(other && { observed: describeType(other.answer.body) }) }
  if (seen.length === 0) return { verdict: 'undecided', ...counts }
  if (seen.every(({ form }) => form === 'other')) return { verdict: 'otherwise', ...described }
  if (other || unpaginatedLists.some((id) => formsOf(id).size > 1)) {
    return { verdict: 'contradictory', ...described }
  }
  const enveloped = unpaginatedLists.filter((id) => formsOf(id).has('envelope'))
  const value = Object.fromEntries(enveloped.map((id) => [id, true]))
  return { verdict: enveloped.length === 0 ? 'confirmed' : 'decided', value, ...counts }
}
