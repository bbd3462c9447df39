import type { Faker, LocaleDefinition, Randomizer, SimpleFaker } from '@faker-js/faker'
import { faker as base } from '@faker-js/faker/locale/base'

import { Random, type RecordHash } from './random.ts'

/** Fakers for each table and purpose, which are restarted for each record. */
export class FakerPool<F extends SimpleFaker> {
  readonly #create: (randomizer: Randomizer) => F
  /** The Fakers by table and purpose: nested, as joining the two takes longer than everything else here. */
  readonly #tables = new Map<string, Map<string, Started<F>>>()

  constructor(create: (randomizer: Randomizer) => F) {
    this.#create = create
  }

  start(table: string, record: RecordHash, purpose: string): F {
    let purposes = this.#tables.get(table)
    if (!purposes) this.#tables.set(table, (purposes = new Map()))
    let entry = purposes.get(purpose)
    if (!entry) {
      const random = new Random()
      entry = { faker: this.#create(random), random }
      purposes.set(purpose, entry)
    }
    entry.random.start(record, purpose)
    return entry.faker
  }
}

interface Started<F> {
  readonly faker: F
  readonly random: Random
}

/**
 * Fakers without words.
 * DECISION: constructed from the class behind `locale/base`, because the entry point that exports the class loads every
 * locale and takes five times as long to start. Revisit when Faker exports its classes by themselves.
 */
export const simpleFakers = new FakerPool<SimpleFaker>((randomizer) =>
  Reflect.construct(Object.getPrototypeOf(base.constructor), [{ randomizer }]),
)

export const createPool = (locale: LocaleDefinition): FakerPool<Faker> =>
  new FakerPool((randomizer) => Reflect.construct(base.constructor, [{ locale, randomizer }]))

/** A range of numbers, as Faker takes it. Both ends are included. */
export interface Range {
  readonly min: number
  readonly max: number
}

/** Distributes numbers so that small ones are more frequent: the square of a uniform one. */
export const mostlySmall = (randomizer: Randomizer): number => randomizer.next() ** 2
