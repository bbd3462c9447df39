import * as z from 'zod'

import type { Settings } from '../contract/choices.ts'
import { adapt } from '../contract/codecs.ts'
import { recordId } from '../contract/fields.ts'
import { documented, documentedShape } from '../contract/provenance.ts'
import type { Data, DerivedCache } from '../store/session-data.ts'

/** A value of a lookup, as in a signal's `category`. Source: Signal. */
export const Lookup = documentedShape('Lookup', 'Signal', () => ({ id: recordId, name: z.string() }))
export type Lookup = z.infer<typeof Lookup>

/** The "none" entries of lookups, for absent values. Source: assumption A-09. */
export const noneEntries = {
  dismissalReason: { id: 1, name: 'Not dismissed' },
  outcome: { id: 1, name: 'No outcome' },
  competitor: { id: 1, name: 'No competitor' },
  subCategory: { id: 1, name: 'No subcategory' },
} as const

/** Declares a lookup that may have no value: its "none" entry by default, or null. Source: assumption A-09. */
export function optionalLookup(
  field: keyof typeof noneEntries,
  lookup: z.ZodType<Lookup> = Lookup,
): z.ZodType<Lookup> {
  const none = noneEntries[field]
  // A clone, so that the lookup itself stays as it is.
  return adapt(lookup.meta({}), ({ absentValues }) =>
    absentValues === 'typed'
      ? undefined
      : {
          schema: lookup.nullable(),
          encode: (value) => (hasId(value, none.id) ? null : value),
          decode: (value) => (value === null ? none : value),
        },
  )
}

const hasId = (value: unknown, id: number): boolean =>
  typeof value === 'object' && value !== null && 'id' in value && value.id === id

/** A text whose values the document leaves open. Source: assumption A-37. */
export const openText: z.ZodString = adapt(z.string(), ({ openStrings }) =>
  openStrings === 'words'
    ? undefined
    : {
        schema: z.string().regex(/^[^a-z -]*$/, 'must be a code like MID_MARKET'),
        encode: (value) => (typeof value === 'string' ? toCode(value) : value),
      },
)

const toCode = (text: string): string =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s-]+/g, '_')
    .toUpperCase()

export type WordColumn = 'segment' | 'domain' | 'country' | 'region' | 'city'

const columnValues: DerivedCache<readonly string[]> = new WeakMap()

/** Returns the values of a column that a filter matches. Source: assumptions. */
export function matchSpelling(
  column: WordColumn,
  wanted: readonly string[] | undefined,
  data: Data,
  { textMatching, openStrings }: Settings,
): readonly string[] | undefined {
  const isCode = column === 'segment' && openStrings === 'codes'
  if (!wanted || (textMatching === 'exact' && !isCode)) return wanted
  const fold = (text: string): string => (textMatching === 'exact' ? text : text.toLowerCase())
  const folded = new Set(wanted.map(fold))
  const values = data.derive(columnValues, column, ['customers'], () => listValues(column, data))
  return values.filter((value) => folded.has(fold(isCode ? toCode(value) : value)))
}

function listValues(column: WordColumn, data: Data): readonly string[] {
  const customers = data.select('customers', []).page()
  return [...new Set(customers.map((customer) => customer[column]))]
}

const ScopeInput = documented(z.enum(['all', 'team', 'mine']), 'Signal list parameters', 'A-12').meta({
  id: 'ScopeInput',
})

/** Declares the parameter that narrows a list to some members' customers. Source: Signal list parameters, `scope`. */
export const scope = (source: string): z.ZodDefault<typeof ScopeInput> =>
  documented(ScopeInput.default('all'), source, 'A-12').describe(
    'all: every visible customer; team: those where members under a shared manager with the caller hold a role; mine: those where the caller holds a role',
  )
