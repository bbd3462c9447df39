import * as z from 'zod'

import type { QueryValues } from '../../contract/query.ts'
import { InvalidContent } from '../../core/json-text.ts'
import { isObject, isShallow, type JsonObject, MAX_DEPTH, parseJson, readShown } from '../../core/json.ts'
import { lazyObject } from '../../core/lazy-schema.ts'
import { countEqual } from '../../core/maps.ts'
import type { Endpoint } from '../../service/endpoint.ts'
import { type OperationId, operations } from '../../service/index.ts'
import { matchRoute } from '../../service/match-route.ts'
import { parseQueryString } from '../../testing/request-target.ts'

/** An answer of a real tenant to one request. Its values never leave this room, except the words of enumerations. */
export interface Answer {
  readonly endpoint: Endpoint
  readonly parameters: Readonly<Record<string, string>>
  readonly query: QueryValues
  /** Undefined for an answer of which only the body is known. */
  readonly status: number | undefined
  /** Undefined if it was not recorded, or is not JSON. */
  readonly body: unknown
  /** `other` for an error, and for a body that is no list of records although the operation returns one. */
  readonly form: 'array' | 'envelope' | 'record' | 'other'
  readonly records: readonly JsonObject[]
}

/** The fields of a HAR entry that matter here. Source: HAR 1.2. */
const HarEntry = lazyObject(() => ({
  request: z.object({ method: z.string(), url: z.string() }),
  response: z.object({
    status: z.number(),
    content: z
      .object({ text: z.string().optional(), encoding: z.string().optional() })
      .optional()
      .catch(undefined),
  }),
}))

const HarFile = lazyObject(() => ({ log: z.object({ entries: z.array(z.unknown()) }) }))

/**
 * Reads the answers of operations in recorded traffic. Order: as recorded.
 * @throws InvalidContent if there are none; it quotes nothing
 */
export function readHar(file: unknown): readonly Answer[] {
  const parsed = HarFile.safeParse(file)
  if (!parsed.success) throw new InvalidContent('it is not a HAR file, which has a list log.entries')
  const { entries } = parsed.data.log
  const readings = entries.flatMap((input) => {
    const { data: entry } = HarEntry.safeParse(input)
    // An interrupted request has no status, and a response with 304 has no body.
    if (!entry || entry.response.status < 200 || entry.response.status === 304) return []
    const address = findAddress(entry.request.method.toUpperCase(), entry.request.url)
    return address ? [{ ...address, response: entry.response }] : []
  })
  // Other services may have paths that end alike.
  const [[base] = []] = countEqual(readings.map((one) => one.base))
  if (base === undefined) {
    const fact = `none of its ${entries.length} entries is an answer of an operation of the service`
    throw new InvalidContent(fact, 'Record while your application calls the service.')
  }
  const answers = readings
    .filter((one) => one.base === base)
    .map(({ endpoint, parameters, query, response: { status, content = {} } }) => {
      const { text = '', encoding } = content
      const body = parseText(encoding === 'base64' ? Buffer.from(text, 'base64').toString() : text)
      const read = status < 300 ? readRecords(endpoint, body) : other
      return { endpoint, parameters, query, status, body, ...read }
    })
  if (answers.some(({ body }) => body !== undefined)) return answers
  throw new InvalidContent('none of its answers has a body in JSON', 'Save the recording with content.')
}

/** Finds the operation of a URL, under any base path. */
function findAddress(method: string, url: string) {
  if (!URL.canParse(url)) return undefined
  const { origin, pathname, search } = new URL(url)
  const [, base = '', path = ''] = /^(.*?)(\/members\/me|\/organizations\/.*?)\/?$/.exec(pathname) ?? []
  const match = ['GET', 'POST'].includes(method) ? matchRoute(method, `/v1${path}`) : undefined
  return match && { ...match, query: parseQueryString(search), base: origin + base }
}

/** Reads an answer from its body alone: for a list, also from one of its records. @throws InvalidContent */
export function readResponse(id: OperationId, body: unknown): Answer {
  const endpoint = operations[id]
  const shown = readRecords(endpoint, body)
  const read = shown === other && isObject(body) ? { form: 'record' as const, records: [body] } : shown
  if (read === other) throw new InvalidContent('it is neither a JSON object nor a list')
  return { endpoint, parameters: {}, query: {}, status: undefined, body, ...read }
}

function readRecords({ returns }: Endpoint, body: unknown): Pick<Answer, 'form' | 'records'> {
  if (returns === 'one') return isObject(body) ? { form: 'record', records: [body] } : other
  const { records, total } = readShown(body)
  if (Array.isArray(body)) return { form: 'array', records }
  return total === undefined ? other : { form: 'envelope', records }
}

const other = { form: 'other', records: [] } as const

function parseText(text: string): unknown {
  const value = parseJson(text)
  return isShallow(value, MAX_DEPTH) ? value : undefined
}
