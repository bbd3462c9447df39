import type * as z from 'zod'

import { isObject } from '../core/json.ts'
import { type Answer, isSuccess } from './answers.ts'

/** The form of an answer's body. */
export type BodyForm = 'array' | 'envelope' | 'record' | 'other'

/** The body of a successful answer. */
export interface Body {
  readonly form: BodyForm
  /** The records that it shows; empty if it has another form. */
  readonly records: readonly Readonly<Record<string, unknown>>[]
  /** The elements of a list that are no records. */
  readonly strays: readonly unknown[]
  /** The number of matches before pagination, if the body has it. */
  readonly total: number | undefined
}

const none: Body = { form: 'other', records: [], strays: [], total: undefined }

const bodies = new WeakMap<Answer, Body>()

/** Reads the records of a successful answer, whatever its envelope is. */
export function readBody(answer: Answer): Body {
  const body = bodies.get(answer) ?? parseBody(answer)
  bodies.set(answer, body)
  return body
}

function parseBody(answer: Answer): Body {
  if (!isSuccess(answer)) return none
  const { body, endpoint } = answer
  if (endpoint.returns === 'one') {
    return isObject(body) ? { ...none, form: 'record', records: [body] } : { ...none, strays: [body] }
  }
  if (Array.isArray(body)) return { ...split(body), form: 'array', total: undefined }
  if (!isObject(body)) return none
  const { items, totalCount } = body
  if (Array.isArray(items) && typeof totalCount === 'number') {
    return { ...split(items), form: 'envelope', total: totalCount }
  }
  const [list, ...others] = Object.values(body).filter(isListOfRecords)
  // The list of another envelope; a record may have lists of records, too, but then it has an id.
  if (list && others.length === 0 && !('id' in body))
    return { ...split(list), form: 'other', total: undefined }
  return answer.isBodyOnly ? { ...none, form: 'record', records: [body] } : none
}

const isListOfRecords = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject)

function split(list: readonly unknown[]): Pick<Body, 'records' | 'strays'> {
  return { records: list.filter(isObject), strays: list.filter((one) => !isObject(one)) }
}

/** The records of one answer, in one shape. */
export interface ShownRecords {
  readonly answer: Answer
  /** The schema in the default form. */
  readonly shape: z.ZodType
  readonly records: readonly Readonly<Record<string, unknown>>[]
}

/** The maximum number of records of an answer that are compared, and of an operation. */
const MAX_RECORDS = 5_000

/** Lists the records that answers show, and the request bodies that they have accepted. */
export function listShownRecords(answers: readonly Answer[]): readonly ShownRecords[] {
  const counts = new Map<string, number>()
  return answers.flatMap((answer) => {
    const { endpoint, requestBody } = answer
    const seen = counts.get(endpoint.id) ?? 0
    const records = readBody(answer).records.slice(0, MAX_RECORDS - seen)
    counts.set(endpoint.id, seen + records.length)
    const shown = records.length > 0 ? [{ answer, shape: endpoint.shape, records }] : []
    const isSent = endpoint.body && isObject(requestBody) && isSuccess(answer)
    return isSent ? [...shown, { answer, shape: endpoint.body, records: [requestBody] }] : shown
  })
}
