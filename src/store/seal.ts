import { crc32 } from 'node:zlib'

/**
 * The last member of a JSON file and its end: a checksum of all that is before it, by which a file is known that
 * nobody has changed since it was written. What the checksum begins with tells by whom.
 */
export const sealText = (sum: number): string =>
  `,\n  "checksum": "${sum.toString(16).padStart(8, '0')}"\n}\n`

/** Units: bytes. */
const SEAL_LENGTH = sealText(0).length

/** Says whether a file ends with the seal that it was written with. */
export function isSealed(bytes: Buffer, seal: string): boolean {
  const content = bytes.subarray(0, Math.max(0, bytes.length - SEAL_LENGTH))
  return bytes.subarray(content.length).equals(Buffer.from(sealText(crc32(content, crc32(seal)))))
}
