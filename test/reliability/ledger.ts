import { noteContents, postNote } from '../doors/command.ts'

/** What is wrong with a customer's notes. */
interface Damage {
  readonly lost: readonly string[]
  readonly torn: readonly string[]
  readonly doubled: readonly string[]
}

/** What has to be wrong: nothing. */
export const none: Damage = { lost: [], torn: [], doubled: [] }

/** What a customer's notes have to be, whatever became of the servers that took them. */
export class Ledger {
  /** What was there before, and what was acknowledged. */
  readonly #kept: string[] = []
  /** What was sent, and may be there. */
  readonly #sent = new Set<string>()

  #count = 0

  /** How many notes were acknowledged. */
  get acknowledged(): number {
    return this.#kept.length
  }

  /** Takes what is there as given. */
  async begin(baseUrl: string): Promise<void> {
    this.#kept.push(...(await noteContents(baseUrl)))
  }

  /** Writes a note, whose end shows that it is whole. Errors: where it is not acknowledged. */
  async write(baseUrl: string, length = 0): Promise<void> {
    const number = `Note ${(this.#count += 1)}`
    const content = `${number} ${'x'.repeat(length)} end of ${number}`
    this.#sent.add(content)
    await postNote(baseUrl, content).catch((error: unknown) => {
      // Refused, it must not be there; where there was no answer, it may be.
      if (isRefusal(error)) this.#sent.delete(content)
      throw error
    })
    this.#kept.push(content)
  }

  /** Writes notes, one after the other. Errors: the first refusal. */
  async writeUntilRefused(baseUrl: string): Promise<never> {
    for (;;) await this.write(baseUrl, 9_000)
  }

  /** Writes notes, several at once, until no more are acknowledged. */
  async writeOn(baseUrl: string, clients: number): Promise<void> {
    const client = async () => {
      for (;;) await this.write(baseUrl, this.#count % 500)
    }
    await Promise.all(Array.from({ length: clients }, () => client().catch(() => undefined)))
  }

  /** What is lost, there in half, or there twice. */
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

const isRefusal = (error: unknown): boolean => error instanceof Error && /^\d{3}: /.test(error.message)
