import type { DatasetOptions } from '../../../../store/dataset-options.ts'
import { parseNumber, omitEmpty } from '../parse-input.ts'

/** The settings of a new dataset, as entered. */
export interface ReseedDraft {
  readonly seed: string
  /** A name, `other`, or empty to keep the current one. */
  readonly size: string
  readonly customers: string
  /** A name, `file`, or empty to keep the current one. */
  readonly fixture: string
  /** The content of the selected file. */
  readonly content: Readonly<Record<string, unknown>> | undefined
  readonly now: string
}

export const unchanged: ReseedDraft = {
  seed: '',
  size: '',
  customers: '',
  fixture: '',
  content: undefined,
  now: '',
}

/** The largest fixture. Units: bytes. */
const MAX_FIXTURE = 16 * 1_048_576

/** Converts a draft to dataset options, which the control plane validates. */
export function toDatasetOptions({ seed, size, customers, fixture, content, now }: ReseedDraft): object {
  const options: { readonly [K in keyof DatasetOptions]: unknown } = {
    seed: parseNumber(seed),
    size: size === 'other' ? parseNumber(customers) : size,
    fixture: fixture === 'file' ? content : fixture,
    now: now.trim(),
  }
  return omitEmpty(options)
}

/** Reads a fixture file. Errors: an Error for the user. */
export async function readFixture(file: File): Promise<Readonly<Record<string, unknown>>> {
  if (file.size > MAX_FIXTURE) throw new Error(`${file.name} is larger than 16 MiB.`)
  const content: unknown = await file
    .text()
    .then(JSON.parse)
    .catch(() => undefined)
  if (isRecord(content)) return content
  throw new Error(`${file.name} is not a JSON object.`)
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
