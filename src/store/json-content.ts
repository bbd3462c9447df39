import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

import * as z from 'zod'

import { WrongContent } from './formats.ts'

/** The value of a file's bytes. Errors: WrongContent that says where and how it is damaged. */
export function jsonOf(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new WrongContent('it is empty')
  if (bytes.includes(0)) throw new WrongContent('it holds NUL bytes, as a power failure leaves them')
  const text = textOf(bytes)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new WrongContent(syntaxFact(text, error))
  }
}

/** A line that is a record of its own. */
const RECORD = /^ +(\{.*\})(,?)$/

const places = z.array(z.int())
const Skeleton = z.looseObject({ organizations: places, rows: z.record(z.string(), places) })

/**
 * The value of a `seeded.json` whose text is too long for one string: it is read line by line, each record being one.
 * Errors: WrongContent.
 */
export async function largeJsonOf(path: string): Promise<unknown> {
  const records: unknown[] = []
  let skeleton = ''
  let count = 0
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    count += 1
    const [, record, comma = ''] = RECORD.exec(line) ?? []
    if (record === undefined) skeleton += line
    else skeleton += `${records.push(parsedLine(record, count)) - 1}${comma}`
  }
  const { organizations, rows, ...rest } = parsedSkeleton(skeleton)
  const inPlace = (list: readonly number[]) => list.map((place) => records[place])
  const tables = Object.entries(rows).map(([name, list]) => [name, inPlace(list)] as const)
  return { ...rest, organizations: inPlace(organizations), rows: Object.fromEntries(tables) }
}

function parsedLine(text: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new WrongContent(`line ${line} is not JSON`)
  }
}

/** What is around the records, which stand in it as their numbers. */
function parsedSkeleton(text: string): z.output<typeof Skeleton> {
  try {
    return Skeleton.parse(JSON.parse(text))
  } catch {
    throw new WrongContent('it is not JSON of one record a line, as a file of this size has to be')
  }
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new WrongContent('it is not UTF-8')
  }
}

function syntaxFact(text: string, error: unknown): string {
  const found = /at position (\d+)/.exec(error instanceof Error ? error.message : '')
  const position = found ? Number(found[1]) : text.length
  if (position >= text.trimEnd().length) return 'it breaks off in the middle'
  const before = text.slice(0, position)
  return `it is not JSON from line ${before.split('\n').length}, column ${position - before.lastIndexOf('\n')} on`
}
