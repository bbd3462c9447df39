import * as z from 'zod'

import type { Settings } from '../contract/choices.ts'
import { varies } from '../contract/variation.ts'
import type { Data } from '../store/session-data.ts'
import type { Row } from '../store/tables.ts'

/** A text whose values the document leaves open. Source: assumption A-37. */
export const openText: z.ZodString = varies(z.string(), ({ openStrings }) =>
  openStrings === 'words'
    ? undefined
    : {
        schema: z.string().regex(/^[^a-z -]*$/, 'must be a code like MID_MARKET'),
        encode: (value) => (typeof value === 'string' ? codeOf(value) : value),
      },
)

const codeOf = (text: string): string =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s-]+/g, '_')
    .toUpperCase()

/** A column of customers that can be filtered by words. */
type WordColumn = 'segment' | 'domain' | 'country' | 'region' | 'city'

/** The values of a column that match what a filter spells. Source: assumptions. */
export function spelt(
  column: WordColumn,
  wanted: readonly string[] | undefined,
  data: Data,
  { textMatching, openStrings }: Settings,
): readonly string[] | undefined {
  const isCode = column === 'segment' && openStrings === 'codes'
  if (!wanted || (textMatching === 'exact' && !isCode)) return wanted
  const fold = (text: string): string => (textMatching === 'exact' ? text : text.toLowerCase())
  const sought = new Set(wanted.map(fold))
  const values = data.derived(`customers: every ${column}`, ['customers'], () => valuesOf(column, data))
  return values.filter((value) => sought.has(fold(isCode ? codeOf(value) : value)))
}

function valuesOf(column: WordColumn, data: Data): readonly string[] {
  const { total, page } = data.select('customers', [])
  return [...new Set(page(0, total).map((customer: Row<'customers'>) => customer[column]))]
}
