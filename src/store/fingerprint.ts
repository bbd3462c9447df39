import { type Dataset, rowsOf } from './dataset.ts'

/** A hash over a dataset's records: equal data, equal fingerprint. Shape: SHA-256 in 64 hexadecimal digits. */
export async function fingerprintOf(dataset: Dataset): Promise<string> {
  const text = JSON.stringify([dataset.key.now, dataset.organizations, rowsOf(dataset)])
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
