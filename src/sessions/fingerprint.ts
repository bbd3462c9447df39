import { importSequentially } from '../core/import-sequentially.ts'
import { getOrCreate } from '../core/maps.ts'
import { mapInSlices } from '../core/slices.ts'
import type { Dataset } from '../store/dataset.ts'
import { tableNames } from '../store/tables.ts'

/** The number of rows to hash at once: the text of all rows may exceed the maximum length of a string. */
const CHUNK = 5_000

const fingerprints = new WeakMap<Dataset, Promise<string>>()

/** Hashes a dataset, once: equal data, equal fingerprint. Shape: SHA-256 as 64 hexadecimal digits. */
export function fingerprint(dataset: Dataset): Promise<string> {
  return getOrCreate(fingerprints, dataset, () => hashDataset(dataset))
}

/** The size up to which `identify` hashes the rows. Units: customers. */
const MAX_HASHED = 1_000

/** Identifies a dataset: by its fingerprint, or if it is large by what it follows from, because its rows need not be there. */
export function identify(dataset: Dataset): Promise<string> {
  const { key, generatedBy, isMoment } = dataset
  const isKnown = key.size > MAX_HASHED && generatedBy !== undefined && !isMoment
  return isKnown ? hash([generatedBy, key]) : fingerprint(dataset)
}

async function hashDataset({ key, organizations, rows, complete }: Dataset): Promise<string> {
  await complete()
  const parts = [await hash([key.now, organizations])]
  for (const name of tableNames) {
    const all: readonly object[] = rows[name]
    for (let start = 0; start < all.length; start += CHUNK) {
      // Holds the text of one chunk at a time.
      const texts = await mapInSlices(all.slice(start, start + CHUNK), (row) => JSON.stringify(row))
      parts.push(await hashText(`["${name}",[${texts.join()}]]`))
    }
  }
  return hash(parts)
}

const hash = (value: unknown): Promise<string> => hashText(JSON.stringify(value))

async function hashText(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  // Pages without TLS do not have it.
  const { subtle }: { readonly subtle?: SubtleCrypto } = crypto
  const digest = subtle
    ? await subtle.digest('SHA-256', bytes)
    : (await importSequentially(() => import('@noble/hashes/sha2.js'))).sha256(bytes)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
