import type { Dataset } from './dataset.ts'
import { tableNames } from './tables.ts'

/** How many rows are hashed at once: a text of all of them may be longer than a text can be. */
const CHUNK = 5_000

/** A hash over a dataset's records: equal data, equal fingerprint. Shape: SHA-256 in 64 hexadecimal digits. */
export async function fingerprintOf(dataset: Dataset): Promise<string> {
  const parts = [await digestOf([dataset.key.now, dataset.organizations])]
  for (const name of tableNames) {
    const { rows } = dataset.tables[name]
    for (let start = 0; start < rows.length; start += CHUNK) {
      // oxlint-disable-next-line no-await-in-loop -- one chunk's text at a time is the point
      parts.push(await digestOf([name, rows.slice(start, start + CHUNK)]))
    }
  }
  return digestOf(parts)
}

async function digestOf(value: unknown): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(value)))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
