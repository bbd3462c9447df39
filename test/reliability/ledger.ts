import { noteContents, postNote } from '../entry-points/command.ts'

/** Differences between the expected and the actual notes of a customer. */
interface Damage {
  readonly lost: readonly string[]
  readonly torn: readonly string[]
  readonly doubled: readonly string[]
}

/** No differences. */
export const none: Damage = { lost: [], torn: [], doubled: [] }

/** Tracks the notes that a customer must have, whatever happens to the servers that accepted them. */
export class Ledger {
  /** Existing and acknowledged notes. */
  readonly #kept: string[] = []
  /** Notes that were sent and may be stored. */
  readonly #sent = new Set<string>()

  #count = 0

  /** The number of acknowledged notes. */
  get acknowledged(): number {
    return this.#kept.length
  }

  /** Reads the existing notes. */
  async begin(baseUrl: string): Promise<void> {
    this.#kept.push(...(await noteContents(baseUrl)))
  }

  /** Writes a note whose end shows that it is complete. Errors: if it is not acknowledged. */
  async write(baseUrl: string, length = 0): Promise<void> {
    const number = `Note ${(this.#count += 1)}`
    const content = `${number} ${'x'.repeat(length)} end of ${number}`
    this.#sent.add(content)
    await postNote(baseUrl, content)
    this.#kept.push(content)
  }

  /** Writes notes, several at once, until the server stops. */
  async writeOn(baseUrl: string, clients: number): Promise<void> {
    const client = async () => {
      for (;;) await this.write(baseUrl, this.#count % 500)
    }
    await Promise.all(Array.from({ length: clients }, () => client().catch(() => undefined)))
  }

  /** Finds notes that are lost, torn or doubled. */
  async damage(baseUrl: string): Promise<Damage> {
    const found = await noteContents(baseUrl)
    const known = new Set([...this.#kept, ...this.#sent])
    return {
      lost: this.#kept.filter((content) => !found.includes(content)),
      torn: found.filter((content) => !known.has(content)),
      doubled: found.filter((content, index) => found.indexOf(content) !== index),
    }
  }
}
