const encoder = new TextEncoder()

/** The memory that a body takes for each of its parts. Units: bytes. */
const PART = 8

/** The bytes of an answer in parts, which other answers may share: a page is made of its records' bytes, not of a copy. */
export class AnswerBody {
  readonly parts: readonly Uint8Array<ArrayBuffer>[]
  /** Units: bytes. */
  readonly length: number
  readonly #unshared: number | undefined

  /** @param unshared how many bytes nobody else keeps in memory; all of them unless given */
  constructor(parts: readonly Uint8Array<ArrayBuffer>[], unshared?: number) {
    this.parts = parts
    let length = 0
    for (const part of parts) length += part.length
    this.length = length
    this.#unshared = unshared
  }

  /** The memory that keeping this body takes: what it shares with the dataset's records costs nothing. Units: bytes. */
  get memory(): number {
    return (this.#unshared ?? this.length) + PART * this.parts.length
  }

  /** @param content a text is encoded in UTF-8 */
  static of(content: string | Uint8Array<ArrayBuffer>): AnswerBody {
    return new AnswerBody([typeof content === 'string' ? encoder.encode(content) : content])
  }

  /** All bytes in one piece; not to be changed. */
  get bytes(): Uint8Array<ArrayBuffer> {
    const [first] = this.parts
    if (first && this.parts.length === 1) return first
    const bytes = new Uint8Array(this.length)
    this.copyTo(bytes)
    return bytes
  }

  /** Writes all bytes to the beginning of what is at least as long. */
  copyTo(target: Uint8Array): void {
    let at = 0
    for (const part of this.parts) {
      target.set(part, at)
      at += part.length
    }
  }
}
