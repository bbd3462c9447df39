/** Groups values by a key. Order: as the values. */
export function groupBy<K, V>(values: Iterable<V>, toKey: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>()
  for (const value of values) getOrCreate(groups, toKey(value), () => []).push(value)
  return groups
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
