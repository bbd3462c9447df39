import type { SimpleFaker } from '@faker-js/faker'

import { simpleFakers, type FakerPool } from './fakers.ts'
import { hashRecord, permute, type RecordHash } from './random.ts'

/** The key of a record: everything that Faker chooses for the record depends on it alone. */
export class RecordKey {
  readonly #table: string
  readonly #hash: RecordHash

  constructor(seed: number, table: string, id: number) {
    this.#table = table
    this.#hash = hashRecord(seed, table, id)
  }

  /**
   * Starts the Faker of a purpose for this record, or for a part of it. Each has its own, so that a new field changes no
   * other. Finish with it before another record of the table starts the same purpose.
   * @example key.faker('segment').helpers.arrayElement(segments)
   * @example key.faker('role', 'csm').datatype.boolean()
   */
  faker(purpose: string, part?: string): SimpleFaker
  faker<F extends SimpleFaker>(purpose: string, pool: FakerPool<F>): F
  faker(purpose: string, by?: string | FakerPool<SimpleFaker>): SimpleFaker {
    if (typeof by === 'object') return by.start(this.#table, this.#hash, purpose)
    return simpleFakers.start(this.#table, this.#hash, purpose, by)
  }

  permute(position: number, size: number): number {
    return permute(position, size, this.#hash)
  }
}
