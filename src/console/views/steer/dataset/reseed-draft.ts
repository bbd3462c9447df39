import type { DatasetOptions } from '../../../../options.ts'
import { numberIn, saidIn } from '../entered.ts'

/** Another dataset as it is entered. */
export interface ReseedDraft {
  readonly seed: string
  /** A name, `other`, or empty for as it is. */
  readonly size: string
  readonly customers: string
  /** A name, `file`, or empty for as it is. */
  readonly fixture: string
  /** What was read from a file. */
  readonly content: Readonly<Record<string, unknown>> | undefined
  readonly now: string
}

export const asItIs: ReseedDraft = {
  seed: '',
  size: '',
  customers: '',
  fixture: '',
  content: undefined,
  now: '',
}

/** What a fixture may take. Units: bytes. */
const MAX_FIXTURE = 16 * 1_048_576

/** A draft in the words of the control plane, which checks it. */
export function datasetOptionsOf({ seed, size, customers, fixture, content, now }: ReseedDraft): object {
  const options: { readonly [K in keyof DatasetOptions]: unknown } = {
    seed: numberIn(seed),
    size: size === 'other' ? numberIn(customers) : size,
    fixture: fixture === 'file' ? content : fixture,
    now: now.trim(),
  }
  return saidIn(options)
}

/** The content of a fixture's file. Errors: an Error that says what is wrong with it. */
export async function fixtureIn(file: File): Promise<Readonly<Record<string, unknown>>> {
  if (file.size > MAX_FIXTURE) throw new Error(`${file.name} has more than 16 MiB.`)
  const content: unknown = await file
    .text()
    .then(JSON.parse)
    .catch(() => undefined)
  if (isRecord(content)) return content
  throw new Error(`${file.name} is no JSON object.`)
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
