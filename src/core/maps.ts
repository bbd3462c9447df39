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

export function getOrCreate<K, V>(cache: Cache<K, V>, key: K, create: () => V): V {
  const value = cache.get(key)
  if (value !== undefined) return value
  const created = create()
  cache.set(key, created)
  return created
}

/** A map that evicts its oldest entries, so that it stays small. Order: as set, as soon as it is half full. */
export class RecentMap<V> extends Map<string, V> {
  readonly #most: number

  constructor(most = 100) {
    super()
    this.#most = most
  }

  override set(key: string, value: V): this {
    if (this.size > this.#most / 2) this.delete(key)
    super.set(key, value)
    if (this.size <= this.#most) return this
    const [oldest] = this.keys()
    if (oldest !== undefined) this.delete(oldest)
    return this
  }
}
