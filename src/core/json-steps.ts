import { isObject, MAX_DEPTH, nestedTooDeep } from './json.ts'
import type { Steps } from './slices.ts'

/** The text that one step scans, parses or encodes, unless a string or number is longer. Units: characters. */
const PART = 65_536

/** The most fields of an object: listing them is one step. */
const MAX_FIELDS = 20_000

/** The most objects and lists of a text: collecting the garbage of more takes long. */
const MAX_OBJECTS = 2_000_000

/** JSON that is nested too deep, or has too many objects, or an object with too many fields. */
export class JsonLimitError extends Error {}

/** A list or an object that is longer than a part, so that its items or fields are parsed one part after the other. */
interface Frame {
  readonly value: unknown[] | Record<string, unknown>
  readonly closing: string
  count: number
  /** The place of what is not parsed yet. It begins with a comma, unless nothing is parsed yet. */
  start: number
}

/**
 * Parses JSON in steps, like `JSON.parse`.
 * @throws SyntaxError for what is not JSON; JsonLimitError
 */
export function* parseJsonInSteps(text: string): Steps<unknown> {
  // A short text with few brackets is one step: a note then costs 4 % less.
  if (text.length < PART && text.split(/[[{]/, MAX_DEPTH + 1).length <= MAX_DEPTH) return JSON.parse(text)
  const values: unknown[] = []
  const root: Frame = { value: values, closing: '', count: 0, start: 0 }
  const frames = [root]
  /** The places of the brackets that are open, and that of the last comma on each level. */
  const opened: number[] = []
  const commas: number[] = []
  let objects = 0
  let isInString = false
  for (let [at, end] = [0, PART]; at < text.length; at += 1) {
    if (at >= end) {
      parsePart(text, at, frames, opened, commas)
      end = at + PART
      yield
    }
    const code = text.charCodeAt(at)
    if (isInString && code === 0x5c) at += 1
    else if (code === 0x22) isInString = !isInString
    else if (isInString) continue
    else if (code === 0x2c) commas[opened.length] = at
    else if (code === 0x5b || code === 0x7b) {
      if (opened.push(at) > MAX_DEPTH) throw new JsonLimitError(nestedTooDeep)
      objects += 1
      if (objects > MAX_OBJECTS)
        throw new JsonLimitError(`must not have more than ${MAX_OBJECTS} objects and lists`)
    } else if (code === 0x5d || code === 0x7d) {
      const frame = frames.at(-1)
      if (frame && frame !== root && opened.length === frames.length - 1) {
        if (text.charAt(at) !== frame.closing) throw new SyntaxError('The brackets do not match.')
        add(frame, text.slice(frame.start, at))
        frames.pop()
        for (const outer of frames.slice(-1)) outer.start = at + 1
      }
      opened.pop()
    }
  }
  if (frames.length > 1) throw new SyntaxError('A bracket is not closed.')
  add(root, text.slice(root.start))
  if (values.length !== 1) throw new SyntaxError('There must be one value.')
  return values[0]
}

/** Parses the complete items of the innermost frame, and makes one of a list or an object that is longer than a part. */
function parsePart(
  text: string,
  at: number,
  frames: Frame[],
  opened: readonly number[],
  commas: readonly number[],
): void {
  for (;;) {
    const level = frames.length - 1
    const frame = frames.at(-1)
    if (!frame) return
    const comma = commas[level] ?? 0
    if (comma > frame.start) {
      add(frame, text.slice(frame.start, comma))
      frame.start = comma
    }
    const bracket = opened[level]
    if (bracket === undefined || at - bracket < PART) return
    const isList = text.charAt(bracket) === '['
    const value = isList ? [] : {}
    add(frame, `${text.slice(frame.start, bracket)}0`, value)
    frame.start = bracket
    frames.push({ value, closing: isList ? ']' : '}', count: 0, start: bracket + 1 })
  }
}

/** Adds the items or fields of a text to a frame. @param value instead of that of the last one */
function add(frame: Frame, text: string, value?: object): void {
  const [comma] = /^[ \t\n\r]*,?/.exec(text) ?? ['']
  const isContinued = frame.count > 0
  if (text.length === comma.length && !comma.endsWith(',')) return
  if (isContinued !== comma.endsWith(',')) throw new SyntaxError('A comma is missing or too many.')
  const items = text.slice(comma.length)
  if (Array.isArray(frame.value)) {
    const parsed: unknown[] = JSON.parse(`[${items}]`)
    if (value) parsed.splice(-1, 1, value)
    for (const item of parsed) frame.value.push(item)
    frame.count += parsed.length
    if (parsed.length === 0) throw new SyntaxError('A comma is followed by nothing.')
    return
  }
  const fields = Object.entries<unknown>(JSON.parse(`{${items}}`))
  if (fields.length === 0) throw new SyntaxError('A comma is followed by nothing.')
  frame.count += fields.length
  if (frame.count > MAX_FIELDS)
    throw new JsonLimitError(`must not have an object with more than ${MAX_FIELDS} fields`)
  for (const [index, [name, parsed]] of fields.entries()) {
    const isLast = index === fields.length - 1
    // Assigning `__proto__` would set the prototype.
    Object.defineProperty(frame.value, name, {
      value: isLast && value ? value : parsed,
      configurable: true,
      enumerable: true,
      writable: true,
    })
  }
}

/** A part of a text, which may be encoded already. */
export type Piece = string | Uint8Array<ArrayBuffer>

const decoder = new TextDecoder()

export const decodePiece = (piece: Piece): string =>
  typeof piece === 'string' ? piece : decoder.decode(piece)

/** A text that is JSON already. */
export class JsonText {
  readonly text: Piece

  constructor(text: Piece) {
    this.text = text
  }
}

/**
 * Formats a value as `JSON.stringify` does, in pieces: an object field by field, a list some items at a time.
 * @param line the line break before each field and item, if they have lines of their own; the end of an object is a piece
 */
export function* formatJson(value: unknown, line = ''): Generator<Piece> {
  const inner = line && `${line}  `
  let before = ''
  if (value instanceof JsonText) {
    yield value.text
  } else if (isIterable(value)) {
    let text = ''
    for (const item of value) {
      text += `${before || '['}${inner}${JSON.stringify(item) ?? 'null'}`
      before = ','
      if (text.length < PART) continue
      yield text
      text = ''
    }
    yield before ? `${text}${line}]` : '[]'
  } else if (isObject(value) && !('toJSON' in value)) {
    for (const name of Object.keys(value)) {
      const field = value[name]
      if (field === undefined) continue
      yield `${before || '{'}${inner}${JSON.stringify(name)}:${line && ' '}`
      yield* formatJson(field, inner)
      before = ','
    }
    yield before ? `${line}}` : '{}'
  } else {
    yield JSON.stringify(value)
  }
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value

/** Joins the pieces of a text to few long ones. */
export function* joinPieces(pieces: Iterable<Piece>, length = 1 << 20): Generator<Piece> {
  let joined = ''
  for (const piece of pieces) {
    const isText = typeof piece === 'string'
    if (isText) joined += piece
    if (isText && joined.length < length) continue
    yield joined
    if (!isText) yield piece
    joined = ''
  }
  yield joined
}

const encoder = new TextEncoder()

/** Encodes the pieces of a text, a part in a step. */
export function* encodeInSteps(pieces: Iterable<Piece>): Steps<Uint8Array<ArrayBuffer>[]> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (const part of joinPieces(pieces, PART)) {
    parts.push(typeof part === 'string' ? encoder.encode(part) : part)
    yield
  }
  return parts
}
