import type { Context } from 'hono'

import { invalidField, SandboxError } from '../core/errors.ts'
import { findInexactNumber } from '../core/exact-json.ts'
import { formatPath } from '../core/issues.ts'
import { JsonLimitError, parseJsonInSteps } from '../core/json-steps.ts'
import { findDamage } from '../core/json-text.ts'
import { ResponseBody } from '../core/response.ts'
import { runAtOnce, runInSlices, type Steps } from '../core/slices.ts'
import { letOthersRun, startTimer } from '../core/system-clock.ts'
import { MAX_RECORDED } from '../testing/journal/view.ts'
import type { Env } from './env.ts'

export interface BodyRules {
  readonly maxBytes: number
  /** Requires JSON by its Content-Type; without, any type is read as JSON, and no body as `{}`. */
  readonly isStrict: boolean
  /** The way for a larger body. */
  readonly remedy?: string
}

/** Units: bytes. */
export const MIB = 1_048_576

/** The longest body that is parsed in one step, and whose damage is looked for. Units: bytes. */
const MAX_AT_ONCE = 65_536

/** The largest body that is read for an answer which does not need it. Units: bytes. */
export const MAX_UNREAD = 64 * MIB

/** The rules of the service. Source: assumption A-17. */
export const serviceBody: BodyRules = { maxBytes: MIB, isStrict: true }

/** The rules of the control plane, where a body may hold a fixture, and curl sends form data by default. */
export const controlBody: BodyRules = { maxBytes: 16 * MIB, isStrict: false }

/** A parameter of a media type, which may be empty. Source: RFC 9110, section 5.6.6. */
const PARAMETER =
  /;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)[ \t]*=[ \t]*(?:([\w!#$%&'*+.^`|~-]+)|"((?:[^"\\]|\\.)*)")[ \t]*)?/y

/** Reads the body, and hands its value to the validator. Errors: 413, 415, 400. */
export async function readJson(c: Context, rules: BodyRules): Promise<void> {
  const { raw } = c.req
  const { isStrict } = rules
  const bytes = await receive(c, rules)
  const isMissing = bytes.length === 0 && !isStrict
  const type = c.req.header('content-type')
  if (isStrict && !isJsonInUtf8(type)) {
    const fact = type === undefined ? 'The request has no Content-Type.' : unsupported('Type', type)
    throw new SandboxError('unsupported_media_type', `${fact} Send application/json in UTF-8.`)
  }
  const encoding = c.req.header('content-encoding')
  if (!isMissing && encoding !== undefined && !/^(?:identity)?$/i.test(encoding.trim())) {
    const detail = `${unsupported('Encoding', encoding)} Send the body as it is, without compression.`
    throw new SandboxError('unsupported_media_type', detail, { headers: { 'accept-encoding': 'identity' } })
  }
  // Receiving a large body has taken a while.
  if (bytes.length > serviceBody.maxBytes) await letOthersRun()
  const steps = parseBody(bytes)
  const value = isMissing ? {} : bytes.length > MAX_AT_ONCE ? await runInSlices(steps) : runAtOnce(steps)
  // Hono's validator reads the value by this method; its own would parse it at once, and decode wrong UTF-8 silently.
  Object.assign(c.req, { json: () => Promise.resolve(value) })
  if (isStrict) return
  const headers = new Headers(raw.headers)
  // Hono's validator ignores a body of another type.
  headers.set('content-type', 'application/json')
  c.req.raw = new Request(raw.url, { method: raw.method, headers, signal: raw.signal })
}

/** Reports whether a media type is JSON in UTF-8. NOTE: some clients write the charset as `UTF8`. */
function isJsonInUtf8(mediaType = ''): boolean {
  const [type = ''] = mediaType.split(';', 1)
  if (type.trim().toLowerCase() !== 'application/json') return false
  for (let at = type.length; at < mediaType.length; at = PARAMETER.lastIndex) {
    PARAMETER.lastIndex = at
    const [parameter, name = '', token, quoted = ''] = PARAMETER.exec(mediaType) ?? []
    if (parameter === undefined) return false
    const value = token ?? quoted.replaceAll(/\\(.)/g, '$1')
    if (name.toLowerCase() === 'charset' && !/^utf-?8$/i.test(value)) return false
  }
  return true
}

const MAX_SHOWN = 60

export function unsupported(header: 'Type' | 'Encoding', value: string): string {
  return `Unsupported Content-${header} \`${value.slice(0, MAX_SHOWN)}\`.`
}

/**
 * Reads the body of a request once, up to the size that its rules allow. Keeps it for the journal, or the start of one that turns out to be
 * too large. Errors: payload_too_large; 400 if the body breaks off.
 */
export function receive(c: Context, rules: BodyRules): Promise<Uint8Array> {
  const received: Promise<Uint8Array> = c.get('received') ?? readBytes(c, rules)
  c.set('received', received)
  return received
}

async function readBytes(c: Context<Env>, rules: BodyRules): Promise<Uint8Array> {
  const { maxBytes } = rules
  const { raw } = c.req
  try {
    const announced = readAnnouncedLength(raw.headers)
    if (announced !== undefined && announced > maxBytes) throw tooLarge(rules)
    const bytes =
      announced === undefined ? await readStart(raw, maxBytes) : new Uint8Array(await raw.arrayBuffer())
    c.set('requestBody', bytes)
    if (bytes.length > maxBytes) throw tooLarge(rules)
    return bytes
  } catch (error) {
    throw error instanceof SandboxError ? error : invalidField('', 'broke off')
  }
}

/** The time that a refusal waits for a body. Units: milliseconds. */
const WAIT_MS = 100

/** Receives as much of a body that nobody has read as the journal shows, unless it is slow, or the client waits to be asked for it. */
export async function receiveUnread(c: Context<Env>): Promise<void> {
  const { method } = c.req
  if (method === 'GET' || method === 'HEAD' || c.req.header('expect') !== undefined) return
  const timer = startTimer(WAIT_MS)
  // A busy process may see the timer before what it has received already.
  const late = timer.over.then(() => letOthersRun())
  await Promise.race([receiveRecorded(c).catch(() => undefined), late])
  timer.stop()
}

async function receiveRecorded(c: Context<Env>): Promise<void> {
  const announced = readAnnouncedLength(c.req.raw.headers) ?? 0
  if (announced <= serviceBody.maxBytes) await receive(c, serviceBody)
  else if (announced <= MAX_UNREAD) c.set('requestBody', await readStart(c.req.raw, MAX_RECORDED))
}

/** Returns the length of the body that a request announces; undefined for a stream of chunks. Units: bytes. */
export function readAnnouncedLength(headers: Headers): number | undefined {
  const announced = headers.get('content-length')
  return announced === null || headers.has('transfer-encoding') ? undefined : Number(announced)
}

/** Reads a body until it ends, or is longer than a number of bytes. */
async function readStart({ body }: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const reader = body?.getReader()
  for (let length = 0; length <= maxBytes;) {
    const { value } = (await reader?.read()) ?? {}
    // Not released at its end, where nobody reads on: that creates an error with a stack, a tenth of the reading.
    if (!value) return new ResponseBody(chunks).bytes
    length += value.length
    chunks.push(new Uint8Array(value))
  }
  reader?.releaseLock()
  return new ResponseBody(chunks).bytes
}

function tooLarge({ maxBytes, remedy = 'Send less at once.' }: BodyRules): SandboxError {
  return new SandboxError('payload_too_large', `The body is larger than ${maxBytes / MIB} MiB. ${remedy}`)
}

/** Decodes the text of a body. Errors: 400 for what is not UTF-8. */
export const decode = (bytes: Uint8Array): string => runAtOnce(decodeInSteps(bytes))

function* decodeInSteps(bytes: Uint8Array): Steps<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    // A note costs 6 % more if its body is decoded as a stream.
    if (bytes.length <= MIB) return decoder.decode(bytes)
    let text = ''
    for (let at = 0; at < bytes.length; at += MIB) {
      text += decoder.decode(bytes.subarray(at, at + MIB), { stream: true })
      yield
    }
    return text + decoder.decode()
  } catch {
    throw invalidField('', 'must be UTF-8')
  }
}

/** Errors: 400 for what is not JSON in UTF-8, beyond its limits, or has a number that parsing changes. */
function* parseBody(bytes: Uint8Array): Steps<unknown> {
  const text = yield* decodeInSteps(bytes)
  try {
    const value = yield* parseJsonInSteps(text)
    const inexact = yield* findInexactNumber(text)
    if (inexact) throw invalidField(formatPath(inexact.path), inexact.message)
    return value
  } catch (error) {
    if (error instanceof SandboxError) throw error
    if (error instanceof JsonLimitError) throw invalidField('', error.message)
    // Looking for the place parses the text several times.
    const place = text.length > MAX_AT_ONCE ? '' : ` (${findDamage(text, error) ?? 'it is cut off'})`
    throw invalidField('', `must be JSON${place}`)
  }
}
