import * as z from 'zod'

import type { Presenter } from '../contract/choices.ts'
import { rebuild, type WireFormat } from '../contract/codecs.ts'
import { getProvenance } from '../contract/provenance.ts'
import { SandboxError } from '../core/errors.ts'
import { formatPath } from '../core/issues.ts'
import { isObject } from '../core/json.ts'
import { lazyStrictObject } from '../core/lazy-schema.ts'
import { ActionLogEntry, AutomationSummary } from './automations.ts'
import { Brief, BriefContent } from './briefs.ts'
import {
  CustomFieldDefinition,
  MemberRoleDefinition,
  NoteCategory,
  Product,
  ProductMetric,
} from './definitions.ts'
import { MeetingContact, MeetingTranscriptLine } from './meetings.ts'
import { CustomerNote } from './notes.ts'
import { SignalSubCategory } from './signals.ts'

/** The records whose fields the document does not show. */
const records = {
  automationSummary: AutomationSummary,
  actionLog: ActionLogEntry,
  brief: Brief,
  briefContent: BriefContent,
  customField: CustomFieldDefinition,
  /** The document shows `id`, `key` and `name`, which stay. */
  memberRole: MemberRoleDefinition,
  noteCategory: NoteCategory,
  note: CustomerNote,
  product: Product,
  productMetric: ProductMetric,
  signalSubCategory: SignalSubCategory,
  meetingContact: MeetingContact,
  transcriptLine: MeetingTranscriptLine,
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
const recordNames = Object.keys(records) as (keyof typeof records)[]

/** Functions that show records in another form than the one that the sandbox assumes, by record. */
export type Present = {
  readonly [N in keyof typeof records]?: Presenter<z.output<(typeof records)[N]>> | undefined
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a function or object for each name
export const Present = lazyStrictObject(() =>
  Object.fromEntries(recordNames.map((name) => [name, z.custom(isPresenter, mustPresent).optional()])),
) as unknown as z.ZodType<Present, Present>

const mustPresent =
  'must be a function, or { schema, present } with a zod schema that JSON Schema can express'

function isPresenter(value: unknown): boolean {
  if (typeof value === 'function') return true
  return isObject(value) && typeof value['present'] === 'function' && isJsonSchema(value['schema'])
}

/** Reports whether a schema of zod can be written as JSON Schema, for the OpenAPI document. */
function isJsonSchema(schema: unknown): boolean {
  try {
    return schema instanceof z.ZodType && isObject(z.toJSONSchema(schema, { io: 'input' }))
  } catch {
    return false
  }
}

/** The names of records by their schemas, and by clones of these. */
const names = z.registry<{ readonly name: keyof typeof records }>()
for (const name of recordNames) names.add(records[name], { name })

/** Creates the form of a record that a presenter shows; undefined for other schemas. */
export function createPresented(
  schema: z.ZodType,
  presenters: Readonly<Record<string, Presenter<never> | undefined>>,
): WireFormat | undefined {
  const { name } = names.get(schema) ?? {}
  const presenter = name && presenters[name]
  if (!presenter) return undefined
  const shape = records[name]
  const place = `present.${name}`
  const documented = Object.entries<z.ZodType>(shape.shape).filter(
    ([, field]) => getProvenance(field)?.['x-provenance'] === 'documented',
  )
  const open = z.object(Object.fromEntries(documented))
  const { schema: shown, present } =
    typeof presenter === 'function' ? { schema: open, present: presenter } : presenter
  const marks = { ...getProvenance(shape), 'x-provenance': 'assumed', 'x-source': place }
  const mark = (field: z.ZodType) => (getProvenance(field) ? field : field.meta(marks))
  return {
    schema: (shown instanceof z.ZodObject ? rebuild(shown, mark) : shown).meta({ 'x-source': place }),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the encoded form of this very record
    present: (record) => presentRecord(place, present, [open, shown], structuredClone(record) as never),
  }
}

/** Errors: internal_error that names the function, if it throws, or returns no object or one that does not fit. */
function presentRecord(
  place: string,
  present: (record: never) => object,
  schemas: readonly z.ZodType[],
  record: never,
): unknown {
  const fail = (fact: string, cause?: unknown) =>
    new SandboxError('internal_error', `The function ${place} ${fact}. Correct it in your options.`, {
      cause,
    })
  let json: string
  try {
    const result: unknown = present(record)
    if (!isObject(result) || result instanceof Promise) throw fail('must return an object')
    json = JSON.stringify(result)
  } catch (error) {
    if (error instanceof SandboxError) throw error
    throw fail(`threw ${error instanceof Error ? `${error.name}: ${error.message}` : 'no error'}`, error)
  }
  const shown: unknown = JSON.parse(json)
  for (const schema of schemas) {
    const [issue] = schema.safeParse(shown).error?.issues ?? []
    if (issue) throw fail(`returned an object whose ${formatPath(issue.path)} ${issue.message}`)
  }
  return shown
}
