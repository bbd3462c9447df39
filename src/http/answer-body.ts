const encoder = new TextEncoder()

/** The bytes of an answer in parts, which other answers may share: a page is made of its records' bytes, not of a copy. */
export class AnswerBody {
  readonly parts: readonly Uint8Array<ArrayBuffer>[]
  /** Units: bytes. */
  readonly length: number

  constructor(parts: readonly Uint8Array<ArrayBuffer>[]) {
    this.parts = parts
    let length = 0
    for (const part of parts) length += part.length
    this.length = length
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
