/** Meanings of a signal's status, as the data keeps them. Source: assumption A-10. */
export const signalStatuses = ['open', 'inProgress', 'closed', 'dismissed'] as const

/** What the status of a signal means. Source: assumption A-10. */
export type SignalStatus = (typeof signalStatuses)[number]

/** Meanings of a customer's status, as the data keeps them. Source: assumption A-11. */
export const customerStatuses = ['active', 'onboarding', 'churned', 'prospect'] as const

/** What the status of a customer means. Source: assumption A-11. */
export type CustomerStatus = (typeof customerStatuses)[number]

/** Four meanings, in two pairs: a meaning without a name of its own uses the names of its pair. */
export type Meanings<M extends string = string> = readonly [M, M, M, M]

/** The names of a status: in the order of the meanings, or each with its meaning. */
export type StatusNames = readonly string[] | Readonly<Record<string, string>>

/** How many names a status has at most. */
const MAX_NAMES = 20

/** Into how many shares the records of one meaning are divided: many counts of names divide it evenly. */
const SHARES = 60

/** Marks the share of a presented signal whose name was chosen. */
export const statusShare: unique symbol = Symbol('status share')

/** Says what is wrong with the names of a status; undefined if nothing is. */
export function statusNamesFault(value: unknown, meanings: Meanings): string | undefined {
  if (Array.isArray(value)) {
    if (!value.every((name) => typeof name === 'string')) return 'must be a list of texts'
    return nameFault(value)
  }
  if (typeof value !== 'object' || value === null) {
    return `must be a list of 1 to ${MAX_NAMES} names, or an object such as { "OPEN": "${meanings[0]}" } that gives each name its meaning`
  }
  const wrong = Object.entries(value).find(([, meaning]) => !meanings.some((known) => known === meaning))
  if (wrong) {
    return `must give ${shown(wrong[0])} one of the meanings ${meanings.join(', ')} (got ${shown(wrong[1])})`
  }
  return nameFault(Object.keys(value))
}

function nameFault(names: readonly string[]): string | undefined {
  if (names.length === 0) return 'must have at least 1 name'
  if (names.length > MAX_NAMES) return `must have at most ${MAX_NAMES} names (got ${names.length})`
  if (names.some((name) => name.trim() === '')) return 'must not have an empty name'
  const twin = names.find((name, index) => names.indexOf(name) !== index)
  return twin === undefined ? undefined : `must have each name once (${shown(twin)} is there twice)`
}

/** How much of a wrong value an error shows. Units: characters. */
const MAX_SHOWN = 60

const shown = (value: unknown): string => JSON.stringify([value]).slice(1, -1).slice(0, MAX_SHOWN)

/** A condition that finds the records with a status. */
export type StatusCondition<M extends string> =
  | readonly [index: 'status', meanings: M | readonly M[]]
  | readonly [index: 'statusShare', keys: readonly string[]]

/**
 * Maps the names of a status to what they mean, and back.
 * A name may stand for several meanings. Several names of one meaning share its records, by the records' ids.
 * Source: assumptions A-10 and A-11.
 */
export class StatusNaming<M extends string> {
  readonly names: readonly string[]
  /** Whether every meaning has its own name. */
  readonly isOneToOne: boolean
  /** Whether the names are the meanings themselves. */
  readonly isDefault: boolean
  readonly #byMeaning: ReadonlyMap<string, readonly string[]>
  readonly #byName: ReadonlyMap<string, readonly M[]>
  readonly #conditions = new Map<string, StatusCondition<M>>()

  constructor(given: StatusNames, meanings: Meanings<M>) {
    const entries = entriesOf(given, meanings)
    this.names = entries.map(([name]) => name)
    const named = (meaning: M): string[] => entries.flatMap(([name, own]) => (own === meaning ? [name] : []))
    this.#byMeaning = new Map(
      meanings.map((meaning, at) => {
        const found = [meaning, meanings[at ^ 1] ?? meaning, ...meanings].map(named)
        return [meaning, found.find(({ length }) => length > 0) ?? []]
      }),
    )
    this.#byName = new Map(
      entries.map(([name, own]) => {
        const others = meanings.filter((meaning) => meaning !== own && this.#namesOf(meaning).includes(name))
        return [name, [own, ...others]]
      }),
    )
    this.isOneToOne = this.names.length === meanings.length && meanings.every((one) => this.#isAlone(one))
    this.isDefault = this.isOneToOne && meanings.every((one) => this.#namesOf(one)[0] === one)
  }

  /** The meanings that a name stands for, its own first; none for an unknown name. */
  meaningsOf(name: string): readonly M[] {
    return this.#byName.get(name) ?? []
  }

  /** The name of a record's status. */
  nameOf(meaning: string, share: number): string {
    const names = this.#namesOf(meaning)
    return names[share % names.length] ?? meaning
  }

  /** The smallest share that has a name among those of a meaning. */
  shareOf(meaning: M, name: string): number {
    return Math.max(0, this.#namesOf(meaning).indexOf(name))
  }

  /** The condition that finds the records whose status has a name: the same object for the same name. */
  condition(name: string): StatusCondition<M> {
    const known = this.#conditions.get(name) ?? this.#newCondition(name)
    this.#conditions.set(name, known)
    return known
  }

  /** The name for an index key of `status` or `statusShare`. */
  nameOfKey(key: string): string {
    const [meaning = '', share = '0'] = key.split('/')
    return this.nameOf(meaning, Number(share))
  }

  #newCondition(name: string): StatusCondition<M> {
    const meanings = this.meaningsOf(name)
    const [first] = meanings
    if (meanings.every((meaning) => this.#isAlone(meaning))) {
      return ['status', first && meanings.length === 1 ? first : meanings]
    }
    const shares = Array.from({ length: SHARES }, (_, share) => share)
    const keys = meanings.flatMap((meaning) =>
      shares.filter((share) => this.nameOf(meaning, share) === name).map((share) => shareKey(meaning, share)),
    )
    return ['statusShare', keys]
  }

  #namesOf(meaning: string): readonly string[] {
    return this.#byMeaning.get(meaning) ?? []
  }

  #isAlone(meaning: M): boolean {
    return this.#namesOf(meaning).length === 1
  }
}

/** A status as a session names it, before the record tells which of the name's meanings applies. */
export class NamedStatus<M extends string = string> {
  readonly name: string
  readonly naming: StatusNaming<M>

  constructor(name: string, naming: StatusNaming<M>) {
    this.name = name
    this.naming = naming
  }
}

/** Each name with its own meaning. Up to four names of a list take a meaning each, those beyond start over. */
function entriesOf<M extends string>(
  given: StatusNames,
  meanings: Meanings<M>,
): [name: string, meaning: M][] {
  const known = (text: string): M => meanings.find((meaning) => meaning === text) ?? meanings[0]
  if (!isList(given)) return Object.entries(given).map(([name, meaning]) => [name, known(meaning)])
  // Two names tell one pair of meanings from the other.
  const places = given.length === 2 ? [0, 2] : [0, 1, 2, 3]
  return given.map((name, at) => [name, meanings[places[at % places.length] ?? 0] ?? meanings[0]])
}

const isList = (names: StatusNames): names is readonly string[] => Array.isArray(names)

/** The index key of a share of the records with a meaning. */
export const shareKey = (meaning: string, share: number): string => `${meaning}/${share}`

/** The share that a record belongs to. */
export function shareOf(id: number): number {
  const low = id % 2 ** 32
  const high = Math.floor(id / 2 ** 32)
  return (Math.imul(low ^ high, 0x9e_37_79_b1) >>> 16) % SHARES
}

/** Gives the naming that names stand for, always the same for the same names. */
function namings<M extends string>(meanings: Meanings<M>): (names: StatusNames) => StatusNaming<M> {
  const made = new WeakMap<StatusNames, StatusNaming<M>>()
  return (names) => {
    const naming = made.get(names) ?? new StatusNaming(names, meanings)
    made.set(names, naming)
    return naming
  }
}

/** How signals name their status. Source: assumption A-10. */
export const signalNaming: (names: StatusNames) => StatusNaming<SignalStatus> = namings(signalStatuses)

/** How the status of customers is named. Source: assumption A-11. */
export const customerNaming: (names: StatusNames) => StatusNaming<CustomerStatus> = namings(customerStatuses)
