import type { Faker, LocaleDefinition, Randomizer, SimpleFaker } from '@faker-js/faker'
import { faker as base } from '@faker-js/faker/locale/base'

import { Random, hashRecord, permute, type RecordHash } from './random.ts'

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

let depth = 0

/**
 * Runs a generator with Fakers of its own, since it may run while another one draws: reading a table that has not been
 * generated yet generates its rows.
 */
export function withOwnFakers<T>(generate: () => T): T {
  depth += 1
  try {
    return generate()
  } finally {
    depth -= 1
  }
}

/** Fakers for each table and purpose, which are restarted for each record. */
export class FakerPool<F extends SimpleFaker> {
  readonly #create: (randomizer: Randomizer) => F
  /** The Fakers by depth, table, purpose and part: nested, as joining them takes longer than everything else here. */
  readonly #depths: Map<string, Map<string, Map<string | undefined, Started<F>>>>[] = []

  constructor(create: (randomizer: Randomizer) => F) {
    this.#create = create
  }

  /** @param part a part of the record; a purpose `field` with a part `tier` starts as the purpose `field tier` does */
  start(table: string, record: RecordHash, purpose: string, part?: string): F {
    const tables = (this.#depths[depth] ??= new Map())
    let purposes = tables.get(table)
    if (!purposes) tables.set(table, (purposes = new Map()))
    let parts = purposes.get(purpose)
    if (!parts) purposes.set(purpose, (parts = new Map()))
    let entry = parts.get(part)
    if (!entry) {
      const random = new Random()
      entry = {
        faker: this.#create(random),
        random,
        name: part === undefined ? purpose : `${purpose} ${part}`,
      }
      parts.set(part, entry)
    }
    entry.random.start(record, entry.name)
    return entry.faker
  }
}

interface Started<F> {
  readonly faker: F
  readonly random: Random
  readonly name: string
}

/**
 * Fakers without words.
 * DECISION: constructed from the class behind `locale/base`, because the entry point that exports the class loads every
 * locale and takes five times as long to start. Revisit when Faker exports its classes by themselves.
 */
const simpleFakers = new FakerPool<SimpleFaker>((randomizer) =>
  Reflect.construct(Object.getPrototypeOf(base.constructor), [{ randomizer }]),
)

export const createPool = (locale: LocaleDefinition): FakerPool<Faker> =>
  new FakerPool((randomizer) => Reflect.construct(base.constructor, [{ locale, randomizer }]))

/** A range of numbers, as Faker takes it. Both ends are included. */
export interface Range {
  readonly min: number
  readonly max: number
}

export function weigh<V extends string>(
  weights: Readonly<Partial<Record<V, number>>>,
): readonly { readonly weight: number; readonly value: V }[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys and values of the object
  const entries = Object.entries(weights) as [V, number][]
  return entries.map(([value, weight]) => ({ weight, value }))
}

/** Distributes numbers so that small ones are more frequent: the square of a uniform one. */
export const mostlySmall = (randomizer: Randomizer): number => randomizer.next() ** 2
