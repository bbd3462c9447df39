import { getOrCreate } from '../core/maps.ts'

/** The statuses of a signal in the data. Source: assumption A-10. */
export const signalStatuses = ['open', 'inProgress', 'closed', 'dismissed'] as const

export type SignalStatus = (typeof signalStatuses)[number]

/** The statuses of a customer in the data. Source: assumption A-11. */
export const customerStatuses = ['active', 'onboarding', 'churned', 'prospect'] as const

export type CustomerStatus = (typeof customerStatuses)[number]

/** Order: in two pairs, whose statuses stand in for each other if only one of them has a name. */
export type Meanings<M extends string = string> = readonly [M, M, M, M]

export type StatusNames<M extends string = string> = readonly string[] | Readonly<Record<string, M>>

const MAX_NAMES = 20

/** The number of shares that the records of a meaning are divided into; divisible by most numbers of names. */
const SHARES = 60

export function validateStatusNames(value: unknown, meanings: Meanings): string | undefined {
  if (Array.isArray(value)) {
    if (!value.every((name) => typeof name === 'string')) return 'must be a list of strings'
    return validateNames(value)
  }
  if (typeof value !== 'object' || value === null) {
    return `must be a list of 1 to ${MAX_NAMES} names, or an object such as { "OPEN": "${meanings[0]}" } that gives each name its meaning`
  }
  const wrong = Object.entries(value).find(([, meaning]) => !meanings.some((known) => known === meaning))
  if (wrong) {
    return `must give ${show(wrong[0])} one of the meanings ${meanings.join(', ')} (got ${show(wrong[1])})`
  }
  return validateNames(Object.keys(value))
}

function validateNames(names: readonly string[]): string | undefined {
  if (names.length === 0) return 'must have at least 1 name'
  if (names.length > MAX_NAMES) return `must have at most ${MAX_NAMES} names (got ${names.length})`
  if (names.some((name) => name.trim() === '')) return 'must not have an empty name'
  const twin = names.find((name, index) => names.indexOf(name) !== index)
  return twin === undefined ? undefined : `must not repeat a name (got ${show(twin)} twice)`
}

const MAX_SHOWN = 60

const show = (value: unknown): string => JSON.stringify([value]).slice(1, -1).slice(0, MAX_SHOWN)

/**
 * Maps the names of a status to what they mean, and back.
 * A name may have several meanings. If a meaning has several names, they share its records by id.
 * Source: assumptions.
 */
export class StatusNaming<M extends string> {
  readonly names: readonly string[]
  readonly isDefault: boolean
  readonly #namesByMeaning: ReadonlyMap<string, readonly string[]>
  readonly #meaningsByName: ReadonlyMap<string, readonly M[]>
  readonly #clauses = new Map<string, ReturnType<StatusNaming<M>['getClause']>>()

  constructor(statusNames: StatusNames, meanings: Meanings<M>) {
    const entries = pairWithMeanings(statusNames, meanings)
    this.names = entries.map(([name]) => name)
    this.isDefault =
      entries.length === meanings.length && entries.every(([name, meaning]) => name === meaning)
    const findNames = (wanted: M): string[] =>
      entries.flatMap(([name, meaning]) => (meaning === wanted ? [name] : []))
    this.#namesByMeaning = new Map(
      meanings.map((meaning, at) => {
        // A meaning without a name has those of the other one in its pair, or of any.
        const candidates = [meaning, meanings[at ^ 1] ?? meaning, ...meanings].map(findNames)
        return [meaning, candidates.find(({ length }) => length > 0) ?? []]
      }),
    )
    this.#meaningsByName = new Map(
      entries.map(([name, own]) => {
        const others = meanings.filter((meaning) => meaning !== own && this.#getNames(meaning).includes(name))
        return [name, [own, ...others]]
      }),
    )
  }

  findMeanings(name: string): readonly M[] {
    return this.#meaningsByName.get(name) ?? []
  }

  getName(meaning: string, share: number): string {
    const names = this.#getNames(meaning)
    return names[share % names.length] ?? meaning
  }

  getNameByKey(key: string): string {
    const [meaning = '', share = '0'] = key.split('/')
    return this.getName(meaning, Number(share))
  }

  findShare(meaning: M, name: string): number {
    return Math.max(0, this.#getNames(meaning).indexOf(name))
  }

  /** Returns the condition on an index that the records of a name meet. */
  getClause(
    name: string,
  ):
    | readonly ['status', M | readonly M[]]
    | readonly ['statusShare', readonly string[], readonly ['status']] {
    return getOrCreate(this.#clauses, name, () => {
      const meanings = this.findMeanings(name)
      const [first] = meanings
      if (meanings.every((meaning) => this.#getNames(meaning).length === 1)) {
        return ['status', first && meanings.length === 1 ? first : meanings]
      }
      const keys = meanings.flatMap((meaning) =>
        Array.from({ length: SHARES }, (_, share) => share)
          .filter((share) => this.getName(meaning, share) === name)
          .map((share) => toShareKey(meaning, share)),
      )
      return ['statusShare', keys, ['status']]
    })
  }

  #getNames(meaning: string): readonly string[] {
    return this.#namesByMeaning.get(meaning) ?? []
  }
}

function pairWithMeanings<M extends string>(
  statusNames: StatusNames,
  meanings: Meanings<M>,
): [name: string, meaning: M][] {
  const [first] = meanings
  if (!isList(statusNames)) {
    return Object.entries(statusNames).map(([name, text]) => [
      name,
      meanings.find((meaning) => meaning === text) ?? first,
    ])
  }
  // Two names distinguish the two pairs.
  const places = statusNames.length === 2 ? [0, 2] : [0, 1, 2, 3]
  return statusNames.map((name, at) => [name, meanings[places[at % places.length] ?? 0] ?? first])
}

const isList = (names: StatusNames): names is readonly string[] => Array.isArray(names)

/** A status by its name, whose meaning depends on the rest of its record. */
export class NamedStatus<M extends string = string> {
  readonly name: string
  readonly naming: StatusNaming<M>

  constructor(name: string, naming: StatusNaming<M>) {
    this.name = name
    this.naming = naming
  }
}

export const toShareKey = (meaning: string, share: number): string => `${meaning}/${share}`

export function getShare(id: number): number {
  const low = id % 2 ** 32
  const high = Math.floor(id / 2 ** 32)
  return (Math.imul(low ^ high, 0x9e_37_79_b1) >>> 16) % SHARES
}

function createNamings<M extends string>(meanings: Meanings<M>): (names: StatusNames) => StatusNaming<M> {
  const cache = new WeakMap<StatusNames, StatusNaming<M>>()
  return (names) => getOrCreate(cache, names, () => new StatusNaming(names, meanings))
}

/** Returns the naming of a signal's status. Source: assumption A-10. */
export const getSignalNaming: (names: StatusNames) => StatusNaming<SignalStatus> =
  createNamings(signalStatuses)

/** Returns the naming of a customer's status. Source: assumption A-11. */
export const getCustomerNaming: (names: StatusNames) => StatusNaming<CustomerStatus> =
  createNamings(customerStatuses)
