import * as z from 'zod'

import type { AssumptionId } from '../../contract/assumptions.ts'
import { choices } from '../../contract/choices.ts'
import { comparable } from '../../contract/instants.ts'
import { provenanceOf } from '../../contract/provenance.ts'
import { arrayNames, foldedName, unknownNames } from '../../contract/query.ts'
import { type Endpoint, owned } from '../../resources/endpoint.ts'
import type { Data } from '../../store/session-data.ts'
import type { Row } from '../../store/tables.ts'
import { otherForms } from './assumptions-shape.ts'

/** A parameter as it was given. */
interface Given {
  readonly name: string
  /** As they were spelt, one for each value. */
  readonly spellings: readonly string[]
  readonly values: readonly string[]
  readonly caller: Row<'members'>
  readonly data: Data
}

/** What is assumed of some values only, not of all that a parameter takes. */
const concerns: ReadonlyMap<AssumptionId, (given: Given) => boolean> = new Map([
  [choices.team.assumption, ({ values }: Given) => values.includes('team')],
  [
    choices.arrayEncoding.assumption,
    ({ values, spellings }: Given) =>
      values.length > 1 || values[0]?.includes(',') === true || spellings.some((name) => name.endsWith(']')),
  ],
  [
    choices.dateFilters.assumption,
    ({ values }: Given) =>
      values.some((value) => comparable(value, 'exact') !== comparable(value, 'milliseconds')),
  ],
  [
    choices.unknownMember.assumption,
    ({ name, values, data, caller }: Given) => {
      const table = name === 'memberId' ? 'members' : 'memberRoles'
      return values.some((value) => owned(data.get(table, Number(value)), { caller }) === undefined)
    },
  ],
])

/** The assumptions on which the reading of a query rests. */
export function assumptionsInQuery(
  { query }: Pick<Endpoint, 'query'>,
  search: string,
  around: Pick<Given, 'caller' | 'data'>,
): AssumptionId[] {
  const arrays = arrayNames(query)
  const asked = Array.from(new URLSearchParams(search), ([spelling, value]) => {
    return { spelling, value, name: foldedName(spelling, arrays) }
  })
  const unknown = unknownNames(query)(asked.map(({ spelling }) => spelling))
  return [
    ...(unknown.length > 0 ? [choices.unknownParameters.assumption] : []),
    ...Object.entries(query.parameters).flatMap(([name, schema]) => {
      const own = asked.filter((one) => one.name === name)
      if (own.length === 0 || !(schema instanceof z.ZodType)) return []
      const [spellings, values] = [own.map(({ spelling }) => spelling), own.map(({ value }) => value)]
      return inParameter(schema, arrays.has(name), { ...around, name, spellings, values })
    }),
  ]
}

function inParameter(schema: z.ZodType, isList: boolean, given: Given): AssumptionId[] {
  const read = schema instanceof z.ZodPipe && schema.out instanceof z.ZodType ? schema.out : schema
  const marked = provenanceOf(read)?.['x-assumption']
  const value = isList ? given.values : given.values[0]
  const is = outcome(schema, value)
  return [
    ...(marked !== undefined && concerns.get(marked)?.(given) !== false ? [marked] : []),
    // Whatever takes a list narrows by text.
    ...(isList ? [choices.textMatching.assumption] : []),
    ...otherForms(schema)
      .filter((other) => outcome(other.schema, value) !== is)
      .map(({ id }) => id),
  ]
}

/** What a schema makes of a value, as far as one can tell it from another. */
function outcome(schema: z.ZodType, value: unknown): string {
  const { success, data } = schema.safeParse(value)
  return success ? JSON.stringify(data) : 'refused'
}
