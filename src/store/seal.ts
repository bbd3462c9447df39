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
  const check = new SealCheck(seal, bytes.length)
  check.add(bytes)
  return check.isMet
}

/** Looks at a file piece by piece for whether it ends with the seal that it was written with. */
export class SealCheck {
  #sum: number
  /** What is to come of the file before its seal. Units: bytes. */
  #left: number
  #end = ''

  /** @param size the file's, in bytes. */
  constructor(seal: string, size: number) {
    this.#sum = crc32(seal)
    this.#left = Math.max(0, size - SEAL_LENGTH)
  }

  /** Takes the next piece. */
  add(piece: Buffer): void {
    const content = piece.subarray(0, this.#left)
    this.#sum = crc32(content, this.#sum)
    this.#left -= content.length
    this.#end += piece.toString('latin1', content.length)
  }

  /** Says whether the pieces were a whole file, and it is sealed. */
  get isMet(): boolean {
    return this.#end === sealText(this.#sum)
  }
}
