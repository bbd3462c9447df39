export function groupBy<K, V>(values: Iterable<V>, toKey: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>()
  for (const value of values) addTo(groups, toKey(value), value)
  return groups
}

/** Adds a value to the list of a key. A list begins with room for one value, since many have no more. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** Counts equal values. Order: the most frequent first, then as the values. */
export function countEqual<V>(values: Iterable<V>): (readonly [value: V, count: number])[] {
  const groups = groupBy(values, (value) => value)
  return Array.from(groups, ([value, { length }]) => [value, length] as const).toSorted((a, b) => b[1] - a[1])
}

interface Cache<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): unknown
}

export function getOrCreate<K, V>(cache: Cache<K, V>, key: K, create: (key: K) => V): V {
  const value = cache.get(key)
  if (value !== undefined) return value
  const created = create(key)
  cache.set(key, created)
  return created
}

/** A map that evicts its oldest entries, so that it stays small. Order: as set. */
export class RecentMap<V> extends Map<string, V> {
  readonly #most: number
  readonly #weigh: (value: V) => number
  #weight = 0

  /** @param weigh says how much an entry counts; by default, all count alike */
  constructor(most = 100, weigh: (value: V) => number = () => 1) {
    super()
    this.#most = most
    this.#weigh = weigh
  }

  override set(key: string, value: V): this {
    this.delete(key)
    super.set(key, value)
    this.#weight += this.#weigh(value)
    for (const oldest of this.keys()) {
      if (this.#weight <= this.#most) break
      this.delete(oldest)
    }
    return this
  }

  override delete(key: string): boolean {
    const value = this.get(key)
    if (value !== undefined) this.#weight -= this.#weigh(value)
    return super.delete(key)
  }
}
