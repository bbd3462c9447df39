import * as z from 'zod'

import { presentedNames, type Presenter } from '../contract/choices.ts'
import { isObject } from '../core/json.ts'
import { lazyStrictObject } from '../core/lazy-schema.ts'
import type { ActionLogEntry, AutomationSummary } from './automations.ts'
import type { Brief, BriefContent } from './briefs.ts'
import type { CustomFieldDefinition, MemberRoleDefinition, NoteCategory } from './definitions.ts'
import type { MeetingContact, MeetingTranscriptLine } from './meetings.ts'
import type { CustomerNote } from './notes.ts'
import type { Product, ProductMetric } from './products.ts'
import type { Lookup } from './shared-fields.ts'

/** Functions that show records in another form than the one that the sandbox assumes, by record. */
export interface Present {
  readonly automationSummary?: Presenter<AutomationSummary> | undefined
  readonly actionLog?: Presenter<ActionLogEntry> | undefined
  readonly brief?: Presenter<Brief> | undefined
  readonly briefContent?: Presenter<BriefContent> | undefined
  readonly customField?: Presenter<CustomFieldDefinition> | undefined
  /** The document shows `id`, `key` and `name`, which stay. */
  readonly memberRole?: Presenter<MemberRoleDefinition> | undefined
  readonly noteCategory?: Presenter<NoteCategory> | undefined
  readonly note?: Presenter<CustomerNote> | undefined
  readonly product?: Presenter<Product> | undefined
  readonly productMetric?: Presenter<ProductMetric> | undefined
  readonly signalSubCategory?: Presenter<Lookup> | undefined
  readonly meetingContact?: Presenter<MeetingContact> | undefined
  readonly transcriptLine?: Presenter<MeetingTranscriptLine> | undefined
}

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

const message = 'must be a function, or { schema, present } with a zod schema that JSON Schema can express'

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a function or object for each name
export const Present = lazyStrictObject(() =>
  Object.fromEntries(presentedNames.map((name) => [name, z.custom(isPresenter, message).optional()])),
) as unknown as z.ZodObject & z.ZodType<Present>
