import * as z from 'zod'

import { isNestedTooDeep, isObject, MAX_DEPTH, parseJson } from '../core/json.ts'
import { lazyObject } from '../core/lazy-schema.ts'
import { countEqual } from '../core/maps.ts'
import type { OperationId } from '../resources/index.ts'
import { operations } from '../resources/index.ts'
import { type Address, type Answer, findAddress } from './answers.ts'

export const MAX_FILE_BYTES = 64 * 1_048_576

const MAX_ENTRIES = 20_000

/** An unusable file; the message is the end of a sentence, and quotes nothing from the file. */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile'
}

export interface Recording {
  readonly answers: readonly Answer[]
  /** The number of entries that belong to no operation, or to another base URL. */
  readonly others: number
}

const Header = lazyObject(() => ({ name: z.string(), value: z.string() }))
const headers = z.array(Header).catch([])

/** The fields of a HAR entry that matter here. Source: HAR 1.2. */
const HarEntry = lazyObject(() => ({
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers,
    postData: z.object({ text: z.string() }).optional().catch(undefined),
  }),
  response: z.object({
    status: z.number(),
    headers,
    content: z
      .object({ text: z.string().optional(), encoding: z.string().optional() })
      .optional()
      .catch(undefined),
  }),
}))
type HarEntry = z.infer<typeof HarEntry>

const HarFile = lazyObject(() => ({ log: z.object({ entries: z.array(z.unknown()) }) }))

export function readHar(bytes: Uint8Array): Recording {
  const parsed = HarFile.safeParse(parseFile(bytes))
  if (!parsed.success) throw new UnusableFile('it is not a HAR file, which has a list log.entries')
  const { entries } = parsed.data.log
  if (entries.length > MAX_ENTRIES) {
    throw new UnusableFile(`it has more than ${MAX_ENTRIES} entries`)
  }
  return readEntries(entries)
}

export function readEntries(entries: readonly unknown[]): Recording {
  const found = entries.flatMap((input) => {
    const { data: entry } = HarEntry.safeParse(input)
    const method = entry?.request.method.toUpperCase() ?? ''
    const address = entry && findAddress(method, entry.request.url)
    // An entry without a status was interrupted, and one with 304 has no body.
    const isAnswered = entry !== undefined && entry.response.status >= 200 && entry.response.status !== 304
    return address && isAnswered ? [{ address, entry, method }] : []
  })
  const [[base] = []] = countEqual(found.map(({ address }) => address.base))
  const own = found.filter(({ address }) => address.base === base)
  return {
    answers: own.map(({ address, entry, method }) => toAnswer(address, entry, method)),
    others: entries.length - own.length,
  }
}

function toAnswer({ endpoint, parameters, query }: Address, entry: HarEntry, method: string): Answer {
  const { request, response } = entry
  const text = readText(response.content)
  const origin = findHeader(request.headers, 'origin')
  return {
    endpoint,
    parameters,
    query,
    method,
    status: response.status,
    body: parseText(text),
    hasBody: text !== '',
    requestBody: parseText(request.postData?.text ?? ''),
    origin: origin === new URL(request.url).origin ? undefined : origin,
    allowsOrigin: findHeader(response.headers, 'access-control-allow-origin'),
  }
}

function readText(content: HarEntry['response']['content']): string {
  const text = content?.text ?? ''
  if (content?.encoding !== 'base64') return text
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)))
  } catch {
    return text
  }
}

const findHeader = (list: readonly z.infer<typeof Header>[], wanted: string): string | undefined =>
  list.find(({ name }) => name.toLowerCase() === wanted)?.value

function parseText(text: string): unknown {
  return text === '' || isNestedTooDeep(text) ? undefined : parseJson(text)
}

function parseFile(bytes: Uint8Array): unknown {
  if (bytes.length > MAX_FILE_BYTES) throw tooLarge(bytes.length)
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') throw new UnusableFile('it is empty')
  if (isNestedTooDeep(text)) throw new UnusableFile(`it is nested more than ${MAX_DEPTH} levels deep`)
  const value = parseText(text)
  if (value === undefined) throw new UnusableFile('it is not valid JSON')
  return value
}

export function tooLarge(length: number): UnusableFile {
  const size = Math.ceil(length / 1_048_576)
  const remedy = 'Filter the recording by the address of the service before you save it'
  return new UnusableFile(`it has ${size} MiB, more than ${MAX_FILE_BYTES / 1_048_576}. ${remedy}`)
}

/** Reads one answer from a file that holds only its body. @throws UnusableFile */
export function readResponseFile(id: OperationId, bytes: Uint8Array): Answer {
  const endpoint = operations[id]
  const body = parseFile(bytes)
  if (!isObject(body) && !Array.isArray(body))
    throw new UnusableFile('it is neither a JSON object nor a list')
  return {
    endpoint,
    parameters: {},
    query: {},
    method: endpoint.method,
    status: 200,
    body,
    hasBody: true,
    isBodyOnly: true,
  }
}
