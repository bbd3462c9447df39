import { getQueryParams } from 'hono/utils/url'
import * as z from 'zod'

import { invalidRequest, SandboxError } from '../contract/errors.ts'
import { bodyErrors, fieldErrors } from '../contract/issues.ts'
import { isNestedTooDeep, nestedTooDeep } from '../contract/json.ts'
import { didYouMean } from '../contract/nearest.ts'
import { pathSchema } from '../contract/operation.ts'
import { querySchema, type QueryValues, unknownNames } from '../contract/query.ts'
import type { BoundOperation, Contract } from '../resources/contract.ts'
import { refuseCompressed, type ServiceRequest, unsupported } from './request.ts'

/** Holds requests to an endpoint against its contract; what comes back is of the endpoint's own types. */
export interface Checks {
  /** Errors: 400 that names each wrong parameter. */
  path(parameters: Readonly<Record<string, string>>): unknown
  /** The query, and the names in it that nobody reads. Errors: as path. */
  query(url: string): { readonly value: unknown; readonly unknown: readonly string[] }
  /** The body; undefined for an endpoint that takes none. Errors: 413, 415, 400. */
  readonly body:
    | ((request: ServiceRequest, read: (bytes: Uint8Array) => void) => Promise<unknown>)
    | undefined
}

/** NOTE: some clients write the charset as `UTF8`. */
const MEDIA_TYPE = /^application\/json *(?:; *charset *= *(?:utf-?8|"utf-?8") *)?$/i

/** The checks of an operation, made once. */
export function checksOf(operation: BoundOperation, { settings, variantOf }: Contract): Checks {
  const path = variantOf(pathSchema(operation.path)).schema
  const query = querySchema(operation.query)
  const unknownAmong = unknownNames(operation.query)
  const known = Object.keys(operation.query.parameters)
  const { body } = operation
  return {
    path: (parameters) => checked(path, parameters, 'path'),
    query: (url) => {
      const given = queryOf(url)
      const value = operation.decodeQuery(checked(query, given, 'query'))
      const unknown = unknownAmong(Object.keys(given))
      if (settings.unknownParameters === 'refused') refuseUnknown(unknown, known)
      return { value, unknown }
    },
    body: body && (async (request, read) => operation.decodeBody(await checkedBody(body, request, read))),
  }
}

function queryOf(url: string): QueryValues {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without a key it gives all of them
  return url.includes('?') ? (getQueryParams(url) as QueryValues) : {}
}

function checked(schema: z.ZodType, value: unknown, place: 'path' | 'query'): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalidRequest(fieldErrors(place, result.error.issues))
}

/** Source: assumption A-15. */
function refuseUnknown(names: readonly string[], known: readonly string[]): void {
  if (names.length === 0) return
  throw invalidRequest(
    names.map((name) => ({ in: 'query', name, message: `is not known. ${didYouMean(name, known)}` })),
  )
}

/** Source: assumption A-17. */
async function checkedBody(
  schema: z.ZodType,
  request: ServiceRequest,
  read: (bytes: Uint8Array) => void,
): Promise<unknown> {
  const bytes = await whole(request)
  read(bytes)
  const mediaType = request.header('content-type')
  if (mediaType === undefined || !MEDIA_TYPE.test(mediaType.trim())) {
    const fact = mediaType === undefined ? 'The request has no Content-Type.' : unsupported('Type', mediaType)
    throw new SandboxError('unsupported_media_type', `${fact} Send application/json in UTF-8.`)
  }
  refuseCompressed(request.header('content-encoding'))
  const result = schema.safeParse(jsonOf(bytes))
  if (result.success) return result.data
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  throw invalidRequest(bodyErrors(result.error.issues, known))
}

async function whole(request: ServiceRequest): Promise<Uint8Array> {
  try {
    return await request.bytes()
  } catch (error) {
    throw error instanceof SandboxError ? error : wrongBody('broke off')
  }
}

function jsonOf(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw wrongBody('must be UTF-8')
  }
  if (isNestedTooDeep(text)) throw wrongBody(nestedTooDeep)
  try {
    return JSON.parse(text)
  } catch {
    throw wrongBody('must be JSON')
  }
}

const wrongBody = (message: string): SandboxError => invalidRequest([{ in: 'body', name: '', message }])
