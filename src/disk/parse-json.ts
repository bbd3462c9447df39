import { closeSync, openSync, readSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'

import { findInexactNumber } from '../core/exact-json.ts'
import { formatPath } from '../core/issues.ts'
import { isNestedTooDeep, nestedTooDeep, parseJson as parseText } from '../core/json.ts'
import { finish } from '../core/slices.ts'
import { InvalidContent, describeReadError } from './storage-errors.ts'

/** Parses the bytes of a file. Errors: InvalidContent with the place of the damage. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new InvalidContent('it is empty')
  if (isUtf16(bytes)) throw new InvalidContent('it is UTF-16, not UTF-8')
  if (bytes.includes(0)) throw new InvalidContent('it contains NUL bytes, as after a power failure')
  const text = decode(bytes)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new InvalidContent(describeSyntaxError(text, findPosition(error) ?? findValidLength(text)))
  }
}

/** Reports whether text is in the encoding that PowerShell writes; JSON without a mark of it begins with ASCII. */
function isUtf16([first, second]: Buffer): boolean {
  if (first === undefined || second === undefined) return false
  return (first === 0) !== (second === 0) || Math.min(first, second) >= 0xfe
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new InvalidContent('it is not UTF-8')
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

function describeSyntaxError(text: string, position: number): string {
  if (position >= text.trimEnd().length) return 'it is cut off'
  const before = text.slice(0, position)
  const line = before.split('\n').length
  return `it is not valid JSON (line ${line}, column ${position - before.lastIndexOf('\n')})`
}

/**
 * Reads a JSON file of any length with one record per line, as `json-layout.ts` formats it, line by line.
 * @param onRead called with each piece as it is read
 * Errors: InvalidContent.
 */
export function readRecordLines(path: string, onRead: (piece: Buffer) => void = () => undefined): unknown {
  const lists = new Map<string, unknown[]>()
  let list: unknown[] | undefined
  let frameText = ''
  let count = 0
  const addLine = (line: string): void => {
    count += 1
    const text = line.trim()
    const record = text.endsWith(',') ? text.slice(0, -1) : text
    if (list && record.startsWith('{') && record.endsWith('}')) {
      const value = parseText(record)
      if (value === undefined) throw new InvalidContent(`line ${count} is not valid JSON`)
      list.push(value)
      return
    }
    const name = OPENING.exec(text)?.[1]
    list = name === undefined ? undefined : []
    if (name !== undefined && list) lists.set(name, list)
    frameText += text
  }
  readLines(path, addLine, onRead)
  const frame = parseText(frameText)
  if (!isFrame(frame)) {
    throw new InvalidContent('it is not JSON with one record per line, which a file of this size must be')
  }
  const fill = (object: object): object =>
    Object.fromEntries(Object.entries(object).map(([name, value]) => [name, lists.get(name) ?? value]))
  const { rows, ...rest } = frame
  return { ...fill(rest), ...(rows && { rows: fill(rows) }) }
}

const OPENING = /"(\w+)": \[$/

const CHUNK_BYTES = 1 << 18
const NEWLINE = 0x0a

function readLines(path: string, onLine: (line: string) => void, onRead: (piece: Buffer) => void): void {
  const file = openSync(path, 'r')
  try {
    let buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    let pending = 0
    for (;;) {
      if (pending === buffer.length) buffer = Buffer.concat([buffer], 2 * pending)
      const bytesRead = readSync(file, buffer, pending, buffer.length - pending, null)
      if (bytesRead === 0) break
      const filled = buffer.subarray(0, pending + bytesRead)
      onRead(filled.subarray(pending))
      let start = 0
      for (let end = filled.indexOf(NEWLINE, pending); end !== -1; end = filled.indexOf(NEWLINE, start)) {
        onLine(filled.toString('utf8', start, end))
        start = end + 1
      }
      filled.copyWithin(0, start)
      pending = filled.length - start
    }
    if (pending > 0) onLine(buffer.toString('utf8', 0, pending))
  } finally {
    closeSync(file)
  }
}

interface Frame {
  readonly rows?: object
}

function isFrame(value: unknown): value is Frame {
  return typeof value === 'object' && value !== null && (!('rows' in value) || typeof value.rows === 'object')
}

/** Parses the bytes of a file that a user has written. Errors: InvalidContent, also for a number that parsing would change. */
export function parseWrittenJson(bytes: Buffer): unknown {
  const value = parseJson(bytes)
  const inexact = finish(findInexactNumber(decode(bytes)))
  if (inexact) throw new InvalidContent(`${formatPath(inexact.path) || 'it'} ${inexact.message}`)
  return value
}

/** Reads a JSON file that a user names. Errors: InvalidContent, also if the file cannot be read. @param most units: MiB */
export async function readJsonFile(path: string, most: number): Promise<unknown> {
  const bytes = await readBytes(path, most * 1_048_576).catch((error: unknown) => {
    throw new InvalidContent(describeReadError(error))
  })
  if (!bytes) throw new InvalidContent(`it is larger than ${most} MiB`)
  if (isNestedTooDeep(bytes.toString('latin1'))) throw new InvalidContent(`it ${nestedTooDeep}`)
  return parseWrittenJson(bytes)
}

const readBytes = async (path: string, most: number): Promise<Buffer | undefined> =>
  (await stat(path)).size > most ? undefined : readFile(path)
