import { getOrCreate } from '../core/maps.ts'

/** The statuses of a signal in the data. Source: assumption A-10. */
export const signalStatuses = ['open', 'inProgress', 'closed', 'dismissed'] as const

export type SignalStatus = (typeof signalStatuses)[number]

/** The statuses of a customer in the data. Source: assumption A-11. */
export const customerStatuses = ['active', 'onboarding', 'churned', 'prospect'] as const

export type CustomerStatus = (typeof customerStatuses)[number]

/** Order: in two pairs, whose statuses stand in for each other if only one of them has a name. */
export type Meanings<M extends string = string> = readonly [M, M, M, M]

/** A name for each meaning in the order of the meanings, or up to 20 names with the meaning of each. */
export type StatusNames<M extends string = string> =
  | readonly [string, string, string, string]
  | Readonly<Record<string, M>>

const MAX_NAMES = 20

export function validateStatusNames(value: unknown, meanings: Meanings): string | undefined {
  const example = `an object such as { "OPEN": "${meanings[0]}" } that gives each name its meaning`
  const inOrder = `the ${meanings.length} names of ${meanings.join(', ')}, in this order`
  if (typeof value !== 'object' || value === null) return `must be ${inOrder}, or ${example}`
  if (Array.isArray(value) && value.length !== meanings.length)
    return `must be ${inOrder} (got ${value.length}), or ${example}`
  if (Array.isArray(value) && !value.every((name) => typeof name === 'string'))
    return 'must be a list of strings'
  const names: readonly string[] = Array.isArray(value) ? value : Object.keys(value)
  const wrong = Array.isArray(value)
    ? undefined
    : Object.entries(value).find(([, meaning]) => !meanings.some((known) => known === meaning))
  if (wrong) {
    return `must give ${show(wrong[0])} one of the meanings ${meanings.join(', ')} (got ${show(wrong[1])})`
  }
  if (names.length === 0) return 'must have at least 1 name'
  if (names.length > MAX_NAMES) return `must have at most ${MAX_NAMES} names (got ${names.length})`
  if (names.some((name) => name.trim() === '')) return 'must not have an empty name'
  const twin = names.find((name, index) => names.indexOf(name) !== index)
  return twin === undefined ? undefined : `must not repeat a name (got ${show(twin)} twice)`
}

const MAX_SHOWN = 60

const show = (value: unknown): string => JSON.stringify([value]).slice(1, -1).slice(0, MAX_SHOWN)

/** A record whose status has a name: one of several by its id, unless it was arranged with another one. */
interface NamedRecord {
  readonly id?: number | undefined
  readonly statusName?: string | undefined
}

interface StatusTest {
  readonly name: string
  readonly holds: (key: unknown, record: NamedRecord) => boolean
}

/**
 * Maps the names of a status to what they mean, and back.
 * A name may have several meanings. If a meaning has several names, its records are divided among them by id.
 * Source: assumptions.
 */
export class StatusNaming<M extends string> {
  readonly names: readonly string[]
  readonly isDefault: boolean
  readonly #ownMeanings: ReadonlyMap<string, M>
  readonly #namesByMeaning: ReadonlyMap<M, readonly string[]>
  readonly #conditions = new Map<string, ReturnType<StatusNaming<M>['getCondition']>>()

  constructor(statusNames: StatusNames<M>, meanings: Meanings<M>) {
    const entries: (readonly [name: string, meaning: M])[] = isList(statusNames)
      ? meanings.map((meaning, at) => [statusNames[at] ?? meaning, meaning])
      : Object.entries(statusNames)
    this.names = entries.map(([name]) => name)
    this.isDefault = entries.length === meanings.length && entries.every(([name, own]) => name === own)
    this.#ownMeanings = new Map(entries)
    const findNames = (wanted: M): string[] =>
      entries.flatMap(([name, meaning]) => (meaning === wanted ? [name] : []))
    this.#namesByMeaning = new Map(
      meanings.map((meaning, at) => {
        // A meaning without a name has those of the other one in its pair, or of any.
        const candidates = [meaning, meanings[at ^ 1] ?? meaning, ...meanings].map(findNames)
        return [meaning, candidates.find(({ length }) => length > 0) ?? []]
      }),
    )
  }

  /** Lists the meanings of a name, its own first; empty for an unknown one. */
  findMeanings(name: string): readonly M[] {
    const own = this.#ownMeanings.get(name)
    const others = Array.from(this.#namesByMeaning).flatMap(([meaning, names]) =>
      meaning !== own && names.includes(name) ? meaning : [],
    )
    return own === undefined ? [] : [own, ...others]
  }

  getName(meaning: M, { id = 0, statusName = '' }: NamedRecord): string {
    const names = this.#namesByMeaning.get(meaning) ?? []
    return names.includes(statusName) ? statusName : (names[id % names.length] ?? meaning)
  }

  /** Returns the condition on the index `status` that the records of a name meet: one of some meanings, or a test. */
  getCondition(name: string): readonly M[] | StatusTest {
    return getOrCreate(this.#conditions, name, () => {
      const meanings = this.findMeanings(name)
      const isOnly = meanings.every((meaning) => this.#namesByMeaning.get(meaning)?.length === 1)
      if (isOnly) return meanings
      const holds: StatusTest['holds'] = (key, record) =>
        meanings.some((meaning) => meaning === key && this.getName(meaning, record) === name)
      return { name: JSON.stringify([name, ...this.#namesByMeaning]), holds }
    })
  }
}

// Array.isArray does not narrow to a tuple.
const isList = (names: StatusNames): names is Meanings => Array.isArray(names)

function createNamings<M extends string>(meanings: Meanings<M>): (names: StatusNames<M>) => StatusNaming<M> {
  const cache = new WeakMap<StatusNames<M>, StatusNaming<M>>()
  return (names) => getOrCreate(cache, names, () => new StatusNaming(names, meanings))
}

/** Returns the naming of a signal's status. Source: assumption A-10. */
export const getSignalNaming: (names: StatusNames<SignalStatus>) => StatusNaming<SignalStatus> =
  createNamings(signalStatuses)

/** Returns the naming of a customer's status. Source: assumption A-11. */
export const getCustomerNaming: (names: StatusNames<CustomerStatus>) => StatusNaming<CustomerStatus> =
  createNamings(customerStatuses)
