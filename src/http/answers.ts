import type { Endpoint } from '../resources/endpoint.ts'
import type { Dataset } from '../store/dataset.ts'
import type { Row, TableName } from '../store/tables.ts'
import { AnswerBody } from './answer-body.ts'
import type { Head } from './request.ts'
import type { Answer } from './respond.ts'

/** An answer, and what it holds for. */
export interface KnownAnswer {
  readonly answer: Answer
  /** The answer's body for the journal: made of the dataset's bytes, whatever becomes of this cache. */
  readonly recorded: AnswerBody
  readonly endpoint: Endpoint
  readonly caller: Row<'members'>
  /** Scheme, host and port of the request's address. */
  readonly origin: string
  /** Path and query, from `/v1` on. */
  readonly target: string
  /** The tables that were looked at: a change in one of them changes the answer. */
  readonly reads: readonly TableName[]
  /** The time that was looked at; undefined where none was. */
  readonly at: string | undefined
}

interface Kept extends Omit<KnownAnswer, 'answer'> {
  answer: Answer
  /** How often it was asked for since it was looked at last. */
  uses: number
  size: number
}

/** How much of what was answered is kept. Units: bytes. */
const LIMIT = 24 * 1_048_576

/** What is kept beside a body, and beside each of its parts. Units: bytes, estimated. */
const FRAME = 1_000
const PART = 8

/** How many requests are noted until the oldest are forgotten. */
const NOTED = 1_000

/**
 * Answers to what was asked of a dataset before, bounded by bytes: when they are too many, those go that were not
 * asked for again since the last look, the oldest first. What is asked for again and again is kept in one piece.
 */
export class KnownAnswers {
  #dataset: Dataset | undefined
  #kept = new Map<string, Kept>()
  #bytes = 0
  /** What was asked for last, and before that. */
  #asked = new Set<string>()
  #askedBefore: ReadonlySet<string> = new Set()

  /** The answer that a dataset gave to such a request. */
  find(dataset: Dataset, head: Head): KnownAnswer | undefined {
    const kept = this.#dataset === dataset ? this.#kept.get(head.key) : undefined
    if (!kept) return undefined
    kept.uses += 1
    if (kept.uses > 1 && kept.answer.body.parts.length > 1) this.#join(kept)
    return kept
  }

  /**
   * Keeps the answer to a request that was made before, because most are never made again; what was kept for another
   * dataset is forgotten.
   * @param known follows from the dataset alone, whatever the session
   */
  keep(dataset: Dataset, head: Head, known: KnownAnswer): void {
    if (this.#dataset !== dataset) {
      this.#dataset = dataset
      this.#kept = new Map()
      this.#bytes = 0
    }
    const { key } = head
    if (!this.#isAskedAgain(key)) return
    this.#drop(key)
    const size = FRAME + 2 * key.length + PART * known.answer.body.parts.length
    this.#add(key, { ...known, uses: 0, size })
    this.#makeRoom()
  }

  /** Notes a request; says whether it is among those that were noted last. */
  #isAskedAgain(key: string): boolean {
    if (this.#asked.has(key) || this.#askedBefore.has(key)) return true
    this.#asked.add(key)
    if (this.#asked.size < NOTED) return false
    this.#askedBefore = this.#asked
    this.#asked = new Set()
    return false
  }

  #join(kept: Kept): void {
    const { body } = kept.answer
    if (body.length > LIMIT / 8) return
    kept.answer = { ...kept.answer, body: AnswerBody.of(body.bytes) }
    kept.size += body.length
    this.#bytes += body.length
    this.#makeRoom()
  }

  #makeRoom(): void {
    for (const [key, kept] of this.#kept) {
      if (this.#bytes <= LIMIT) return
      this.#drop(key)
      if (kept.uses === 0) continue
      // It goes to the end, and has to be asked for again to stay.
      kept.uses = 0
      this.#add(key, kept)
    }
  }

  #add(key: string, kept: Kept): void {
    this.#kept.set(key, kept)
    this.#bytes += kept.size
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key)
    if (!kept) return
    this.#kept.delete(key)
    this.#bytes -= kept.size
  }
}
