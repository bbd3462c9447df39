import * as z from 'zod'

import type { Settings } from '../contract/choices.ts'
import { getOwnShape, type ShapeName, shapeNames, type ShapesInput } from '../contract/shapes.ts'
import { isObject, type JsonObject, listObjects } from '../core/json.ts'
import type { ShownRecords } from './answers.ts'
import { findFormat, isFieldName, nameType, getWire, listExtras, listIssues } from './schemas.ts'

interface Place {
  readonly operation: string
  readonly field?: string
}

const places: Readonly<Record<Exclude<ShapeName, 'noteRequest'>, readonly Place[]>> = {
  automationSummary: [{ operation: 'listAutomations' }],
  actionLog: [{ operation: 'listAutomationActionLogs' }],
  brief: [{ operation: 'listBriefs' }],
  briefContent: [{ operation: 'listCustomerBriefContents' }],
  customField: [{ operation: 'listCustomFields' }],
  memberRole: [{ operation: 'listMemberRoles' }],
  note: [{ operation: 'listCustomerNotes' }, { operation: 'createCustomerNote' }],
  noteCategory: [{ operation: 'listNoteCategories' }],
  product: [{ operation: 'listProducts' }],
  productMetric: [{ operation: 'listProductMetrics' }],
  signalSubCategory: [
    { operation: 'listSignals', field: 'subCategory' },
    { operation: 'getSignal', field: 'subCategory' },
  ],
  meetingContact: [
    { operation: 'listCustomerMeetings', field: 'contacts' },
    { operation: 'getCustomerMeeting', field: 'contacts' },
  ],
  transcriptLine: [{ operation: 'getCustomerMeeting', field: 'transcript' }],
}

export function listShapesAt(
  operation: string,
  isRequest: boolean,
  field: PropertyKey | undefined,
): readonly string[] {
  if (isRequest) return ['noteRequest']
  return Object.entries(places).flatMap(([name, at]) =>
    at.some((place) => place.operation === operation && (place.field ?? field) === field) ? [name] : [],
  )
}

export interface LearnedRecords {
  readonly name: ShapeName
  readonly shape: z.ZodType
  readonly records: readonly JsonObject[]
}

export function collectLearned(shown: readonly ShownRecords[]): readonly LearnedRecords[] {
  const sent = shown.filter(({ answer, shape }) => shape !== answer.endpoint.shape)
  const received = shown.filter(({ answer, shape }) => shape === answer.endpoint.shape)
  return shapeNames.flatMap((name): LearnedRecords[] => {
    const records =
      name === 'noteRequest'
        ? sent.flatMap((one) => one.records)
        : places[name].flatMap((place) => readPlace(received, place))
    return records.length > 0 ? [{ name, shape: getOwnShape(name).schema, records }] : []
  })
}

const readPlace = (shown: readonly ShownRecords[], { operation, field }: Place): JsonObject[] =>
  shown
    .filter(({ answer }) => answer.endpoint.id === operation)
    .flatMap(({ records }) => records)
    .flatMap((record) => (field === undefined ? [record] : listObjects([record[field]].flat())))

export function proposeShapes(learned: readonly LearnedRecords[], best: Settings): ShapesInput {
  const proposed = learned.flatMap(({ name, shape, records }) => {
    const wire = getWire(shape, best)
    const fits = records.every(
      (record) => listIssues(wire, record).length === 0 && listExtras(wire, record).length === 0,
    )
    return fits ? [] : [[name, withFields(inferSchema(records), wire, shape)] as const]
  })
  return Object.fromEntries(proposed)
}

/** The depth up to which types are inferred, and the number of keys from which an object is a map. */
const MAX_DEPTH = 6
const MAX_KEYS = 60

export function inferSchema(values: readonly unknown[], depth = 0): JsonObject {
  const types = [...new Set(values.map(nameType))].toSorted()
  const merged = types.includes('number') ? types.filter((type) => type !== 'integer') : types
  const type = merged.length === 1 ? merged[0] : merged
  const texts = values.filter((value) => typeof value === 'string')
  const [format, ...otherFormats] = new Set(texts.map(findFormat))
  const lists = values.filter(Array.isArray)
  const objects = values.filter(isObject)
  return {
    type,
    ...(format !== undefined && otherFormats.length === 0 && { format }),
    ...(lists.flat().length > 0 && depth < MAX_DEPTH && { items: inferSchema(lists.flat(), depth + 1) }),
    ...(objects.length > 0 && depth < MAX_DEPTH && inferFields(objects, depth)),
  }
}

function inferFields(objects: readonly JsonObject[], depth: number): JsonObject {
  const names = [...new Set(objects.flatMap(Object.keys))]
  if (names.length > MAX_KEYS || !names.every(isFieldName)) return {}
  const properties = names.map((name) => {
    const values = objects.flatMap((one) => (Object.hasOwn(one, name) ? [one[name]] : []))
    return [name, inferSchema(values, depth + 1)]
  })
  const required = names.filter((name) => objects.every((one) => Object.hasOwn(one, name)))
  return { properties: Object.fromEntries(properties), required }
}

const synonyms: Readonly<Record<string, readonly string[]>> = {
  name: ['title', 'label', 'displayname', 'fullname'],
  key: ['slug', 'code', 'identifier', 'apiname'],
  description: ['summary', 'details', 'about'],
  content: ['text', 'body', 'markdown', 'html', 'note', 'value'],
  message: ['detail', 'details', 'text', 'body', 'description'],
  type: ['datatype', 'kind', 'valuetype', 'fieldtype'],
  status: ['state', 'level', 'result', 'outcome'],
  options: ['choices', 'values', 'allowedvalues'],
  createdDate: ['createdat', 'created', 'createdon', 'timestamp', 'generatedat', 'date'],
  updatedDate: ['updatedat', 'updated', 'modifiedat', 'lastmodified'],
  deactivatedDate: ['deactivatedat', 'disabledat'],
  createdById: ['createdby', 'authorid', 'userid', 'memberid'],
  customerId: ['accountid', 'companyid', 'clientid'],
  briefId: ['definitionid', 'templateid'],
  categoryId: ['notecategoryid', 'typeid'],
  firstName: ['givenname', 'forename'],
  lastName: ['familyname', 'surname'],
  email: ['emailaddress', 'mail'],
  speaker: ['speakername', 'author', 'participant'],
  text: ['content', 'line', 'utterance', 'transcript'],
  startSeconds: ['start', 'starttime', 'offset', 'from'],
  endSeconds: ['end', 'endtime', 'to'],
}

const normalise = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase()

/** Adds to each property the field of the sandbox whose values it seems to have: each field once. */
function withFields(schema: JsonObject, wire: z.ZodType, shape: z.ZodType): JsonObject {
  const { properties } = schema
  if (!isObject(properties) || !(shape instanceof z.ZodObject)) return schema
  const fields = Object.keys(shape.shape)
  const used = new Set(fields.filter((field) => Object.hasOwn(properties, field)))
  const mapped = Object.entries(properties).map(([name, property]) => {
    if (used.has(name)) return [name, property]
    const field = fields.find((one) => !used.has(one) && isSynonym(one, name))
    if (field === undefined || !isObject(property) || !isSameType(wire, shape, field, property)) {
      return [name, property]
    }
    used.add(field)
    return [name, { ...property, 'x-from': field }]
  })
  return { ...schema, properties: Object.fromEntries(mapped) }
}

const isSynonym = (field: string, name: string): boolean =>
  normalise(field) === normalise(name) || (synonyms[field]?.includes(normalise(name)) ?? false)

function isSameType(wire: z.ZodType, shape: z.ZodObject, field: string, { type }: JsonObject): boolean {
  const schema: unknown =
    Reflect.get(wire instanceof z.ZodObject ? wire.shape : {}, field) ?? shape.shape[field]
  if (!(schema instanceof z.ZodType)) return false
  const { type: own }: { readonly type?: unknown } = z.toJSONSchema(schema, {
    unrepresentable: 'any',
    io: 'input',
  })
  const types = Array.isArray(type) ? type : [type]
  return own === undefined || types.includes(own) || (own === 'integer' && types.includes('number'))
}
