import { findInexactNumber } from './exact-json.ts'
import { formatPath } from './issues.ts'
import { finish } from './slices.ts'
import { asSentence } from './words.ts'

/** A fault in the content of a file. */
export class InvalidContent extends Error {
  override readonly name = 'InvalidContent'
  readonly remedy: string | undefined

  constructor(message: string, remedy?: string) {
    super(message)
    this.remedy = remedy
  }

  /** The fact, and the remedy if there is one. */
  get sentences(): string {
    return [this.message, this.remedy ?? []].flat().map(asSentence).join(' ')
  }
}

/** Parses the bytes of a file. Errors: InvalidContent with the place of the damage. */
export function parseJsonBytes(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new InvalidContent('it is empty')
  return parseText(decodeUtf8(bytes))
}

/** Parses the text of a file from a line on. Errors: as `parseJsonBytes`. */
export function parseText(text: string, line = 1): unknown {
  const name = line === 1 ? 'it' : `line ${line}`
  if (text.includes('\0')) throw new InvalidContent(`${name} contains NUL bytes, as after a power failure`)
  try {
    return JSON.parse(text)
  } catch (error) {
    const place = findDamage(text, error, line)
    throw new InvalidContent(place ? `it is not valid JSON (${place})` : `${name} is cut off`)
  }
}

/** Finds the line and column from which on a text is not JSON; undefined if its end is missing. */
export function findDamage(text: string, error: unknown, line = 1): string | undefined {
  const position = findPosition(error) ?? findValidLength(text)
  if (position >= text.trimEnd().length) return undefined
  const lines = text.slice(0, position).split('\n')
  return `line ${line + lines.length - 1}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}

/** Reports whether text is in the encoding that PowerShell writes; JSON without a mark of it begins with ASCII. */
function isUtf16([first, second]: Buffer): boolean {
  if (first === undefined || second === undefined) return false
  return (first === 0) !== (second === 0) || Math.min(first, second) >= 0xfe
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes the bytes of a file from a line on, without a byte order mark. Errors: InvalidContent with the line. */
export function decodeUtf8(bytes: Buffer, line = 1): string {
  if (line === 1 && isUtf16(bytes)) throw new InvalidContent('it is UTF-16, not UTF-8')
  try {
    return utf8.decode(bytes)
  } catch {
    throw new InvalidContent(`it is not UTF-8 (line ${line + countLines(bytes)})`)
  }
}

/** Counts the complete lines of UTF-8 before the first bytes that are not. */
function countLines(bytes: Buffer): number {
  for (let start = 0, lines = 0; ; lines += 1) {
    const end = bytes.indexOf(0x0a, start)
    try {
      utf8.decode(bytes.subarray(start, end === -1 ? undefined : end))
    } catch {
      return lines
    }
    if (end === -1) return lines
    start = end + 1
  }
}

function findPosition(error: unknown): number | undefined {
  const match = /at position (\d+)/.exec(error instanceof Error ? error.message : '')
  return match ? Number(match[1]) : undefined
}

function findValidLength(text: string): number {
  let valid = 0
  let invalid = text.length + 1
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1
    if (isIncompleteJson(text.slice(0, middle))) valid = middle
    else invalid = middle
  }
  return valid
}

function isIncompleteJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const isUnfinished = error instanceof Error && /^(?:Unexpected end|Unterminated)/.test(error.message)
    return isUnfinished || findPosition(error) === text.length
  }
}

/** Parses the bytes of a file that a user has written. Errors: InvalidContent, also for a number that parsing would change. */
export function parseWrittenJson(bytes: Buffer): unknown {
  const value = parseJsonBytes(bytes)
  const inexact = finish(findInexactNumber(decodeUtf8(bytes)))
  if (inexact) throw new InvalidContent(`${formatPath(inexact.path) || 'it'} ${inexact.message}`)
  return value
}

const TOKEN = /"(?:[^"\\]|\\[^])*"?|[[\]{},:]|[^\s[\]{},:"]+/g

/** Finds the line of a value in valid JSON by its path, or of the value that lacks it. */
export function findLine(bytes: Buffer, path: readonly PropertyKey[]): number {
  const text = decodeUtf8(bytes)
  const place: PropertyKey[] = []
  const containers: string[] = []
  let isKey = false
  let found = 0
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const isInArray = containers.at(-1) === '['
    if (token === ']' || token === '}') {
      containers.pop()
      place.pop()
      isKey = false
    } else if (token === ',') {
      if (isInArray) place.push(Number(place.pop()) + 1)
      else isKey = true
    } else if (isKey) {
      place.splice(-1, 1, JSON.parse(token))
      isKey = false
    } else if (token !== ':') {
      if (place.every((step, depth) => step === path[depth])) found = index
      if (token !== '[' && token !== '{') continue
      containers.push(token)
      place.push(0)
      isKey = token === '{'
    }
  }
  return text.slice(0, found).split('\n').length
}
