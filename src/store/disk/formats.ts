import { crc32 } from 'node:zlib'

import * as z from 'zod'

import { fixtureNames } from '../../contract/fields.ts'
import { formatPath, parsedOnce, validationErrors } from '../../core/issues.ts'
import { formatJson, JsonText, type Piece } from '../../core/json-steps.ts'
import { findLine, InvalidContent, parseJsonBytes, parseText } from '../../core/json-text.ts'
import { lazyStrictObject } from '../../core/lazy-schema.ts'
import { didYouMean } from '../../core/nearest.ts'
import { version } from '../../core/version.ts'
import { Commit, FORMAT, Header, type Line } from '../change.ts'
import { datasetKey, type DatasetKey } from '../dataset-key.ts'
import { createDataset } from '../dataset.ts'
import { checkReferences } from '../references.ts'
import { SessionData } from '../session-data.ts'
import {
  comparison,
  type DatasetContent,
  forEachTable,
  readFormatted,
  type Rows,
  rowSchemas,
  tableNames,
} from '../tables.ts'
import { OrganizationRow } from '../tables/members.ts'
import { noTexts } from '../texts.ts'

/** The content of `dataset.json`. */
export interface StoredDataset {
  /** Counts reseeds, so that the changes of an earlier dataset are recognised. */
  readonly id: number
  readonly version: string
  readonly key: DatasetKey
  readonly organizations: readonly OrganizationRow[]
  /** Absent from large datasets, whose rows follow from the key. */
  readonly rows?: DatasetContent['rows'] | undefined
  readonly formatted?: DatasetContent['formatted']
  readonly isEdited?: boolean
}

/** The lines of the file that its elements were read from. */
export const lineNumbers = new WeakMap<Line, number>()

const DatasetFile = lazyStrictObject(() => ({
  about: z.string().optional(),
  format: z.literal(FORMAT),
  id: z.int().positive(),
  version: z.string(),
  ...datasetKey,
  organizations: z.array(OrganizationRow),
  rows: z
    .strictObject(
      forEachTable<{ readonly [T in keyof Rows]: z.ZodType<Rows[T]> }>((name) => z.array(rowSchemas[name])),
    )
    .optional(),
  /** Shows an edit of the key, which then does not describe the records. */
  keyChecksum: z.string().optional(),
  checksum: z.string().optional(),
}))
type DatasetFile = z.output<typeof DatasetFile>

/** Parses `dataset.json`, and validates it unless nobody has edited it. Errors: InvalidContent with the field and its line. */
export function parseDataset(bytes: Buffer<ArrayBuffer>): StoredDataset {
  const sealed = isSealed(bytes) ? parseSealed(bytes) : undefined
  if (sealed?.version === version) return sealed
  const value = parseJsonBytes(bytes)
  checkFormat(value)
  return { ...toStored(validateDataset(value, bytes)), isEdited: !sealed }
}

/** Parses a file that nobody has edited; its rows when they are read, so that a start with 300 customers takes a tenth less. */
function parseSealed(bytes: Buffer<ArrayBuffer>): StoredDataset {
  const start = bytes.indexOf('\n  "rows": {')
  if (start === -1) return toStored(parseJsonBytes(bytes))
  let end = start
  // No text of a record has line breaks. To search for eight bytes or more would take 10 ms.
  const formatted = forEachTable<NonNullable<StoredDataset['formatted']>>(() => {
    const open = bytes.indexOf('[', end)
    const close = bytes.toString('latin1', open, open + 2) === '[]' ? ']' : '\n    ]'
    end = bytes.indexOf(close, open) + close.length
    return new JsonText(bytes.subarray(open, end))
  })
  const rest = [bytes.subarray(0, start), bytes.subarray(bytes.indexOf('},', end) + '},'.length)]
  const dataset = toStored(parseJsonBytes(Buffer.concat(rest)))
  return { ...dataset, rows: readFormatted(formatted), formatted }
}

function toStored(file: unknown): StoredDataset {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is as this program has written it, or validated
  const { about: _, format: __, checksum: ___, keyChecksum: ____, ...dataset } = file as DatasetFile
  const { id, version: generatedBy, organizations, rows, ...key } = dataset
  return { id, version: generatedBy, key, organizations, rows }
}

function validateDataset(value: unknown, bytes: Buffer): DatasetFile {
  const refuse = (path: readonly PropertyKey[], message = '', field = formatPath(path)): InvalidContent =>
    new InvalidContent(`${field || 'it'} in line ${findLine(bytes, path)} ${message}`)
  const { data, error } = DatasetFile.safeParse(value, { reportInput: true })
  const [issue] = error?.issues ?? []
  if (!data) {
    const [{ name, message } = { name: '', message: '' }] = validationErrors(
      'body',
      DatasetFile,
      error.issues,
    )
    const path = issue?.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys] : issue?.path
    throw refuse(path ?? [], message, name)
  }
  const { organizations, rows: written, fixture, fixtureContent } = data
  if (fixtureContent === undefined && !fixtureNames.some((name) => name === fixture))
    throw refuse(['fixture'], `must be the name of a fixture. ${didYouMean(fixture, fixtureNames)}`)
  if (data.keyChecksum !== undefined && data.keyChecksum !== sumUp(formatKey(data))) {
    const fact = 'was edited, but the records and changes are those of the dataset before'
    throw refuse(['seed'], `or below ${fact}`, 'the seed, size, fixture or time')
  }
  if (!written) return data
  const rows = forEachTable<Rows>((name) => written[name].toSorted(comparison(name)))
  const dataset = createDataset(data, { organizations, rows }, noTexts)
  const lookup = new SessionData(() => dataset)
  for (const name of tableNames) {
    const seen = new Set<number>()
    for (const [index, row] of written[name].entries()) {
      const path = ['rows', name, index]
      if (seen.size === seen.add(row.id).size)
        throw refuse([...path, 'id'], 'must not be that of another record')
      const [dangling] = checkReferences(name, row, lookup)
      if (dangling)
        throw refuse(path, `is wrong: ${dangling.message}`, `${formatPath(path)}.${dangling.path}`)
    }
  }
  return { ...data, rows }
}

/** Formats `dataset.json` with one record per line. Its checksum spares the next start the check of what nobody has edited. */
export function* formatDataset({
  id,
  version: by,
  key,
  organizations,
  rows: records,
  formatted,
}: StoredDataset): Generator<Piece> {
  // To parse a ready-made dataset and to format it again would take 40 ms of a first start, and to decode it 20.
  const rows = records && (formatted ?? records)
  const about = rows
    ? 'The records of workspace-sandbox. You may edit them while no server uses this folder; for another seed, size, fixture or time, run workspace-sandbox reseed.'
    : 'The records of more than 1,000 customers are not written here: they follow from these options. Print them with workspace-sandbox export.'
  const keyChecksum = sumUp(formatKey(key))
  const content = { about, format: FORMAT, id, version: by, ...key, organizations, rows, keyChecksum }
  let checksum = 0
  for (const piece of formatJson(content, '\n')) {
    // The end of the whole, before which the checksum comes.
    if (piece === '\n}') break
    checksum = crc32(piece, checksum)
    yield piece
  }
  yield formatSeal(checksum)
}

const formatKey = ({ seed, size, fixture, fixtureContent, now, clock, future }: DatasetKey): string =>
  JSON.stringify([seed, size, fixture, fixtureContent, now, clock, future])

const sumUp = (text: string): string => formatSum(crc32(text))

const formatSum = (checksum: number): string => checksum.toString(16).padStart(8, '0')

const formatSeal = (checksum: number): string => `,\n  "checksum": "${formatSum(checksum)}"\n}\n`

function isSealed(bytes: Buffer): boolean {
  const content = bytes.subarray(0, -formatSeal(0).length)
  return bytes.toString('latin1', content.length) === formatSeal(crc32(content))
}

/** Parses a line of `changes.jsonl`. Errors: InvalidContent with the field and the line that do not fit. */
export function parseLine(text: string, line: number): Line {
  const value = parseText(text, line)
  const isHeader = line === 1 || 'format' in Object(value)
  if (isHeader) checkFormat(value)
  const schema = isHeader ? Header : Commit
  const { data, error } = schema.safeParse(value, { reportInput: true })
  if (data) {
    lineNumbers.set(data, line)
    return data
  }
  const [{ name, message } = { name: '', message: '' }] = validationErrors('body', schema, error.issues)
  throw new InvalidContent(`${name || 'it'} in line ${line} ${message}`)
}

/** Rejects files of a newer version, and files of other programs. Errors: InvalidContent. */
function checkFormat(value: unknown): void {
  const { data } = z.looseObject({ format: z.int().positive() }).safeParse(value, parsedOnce)
  if (!data) throw new InvalidContent('it has no format, so it is not a file of workspace-sandbox')
  if (data.format <= FORMAT) return
  throw new InvalidContent(
    `it has format ${data.format}, and this version knows formats up to ${FORMAT}`,
    'Use the newer version of workspace-sandbox, or start on another folder with the option data.',
  )
}
