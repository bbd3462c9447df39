export const MAX_REMEMBERED = 100

/** A map that evicts its oldest entries, so that it stays small. Order: as set, as soon as it is half full. */
export class RecentMap<V> extends Map<string, V> {
  override set(key: string, value: V): this {
    if (this.size > MAX_REMEMBERED / 2) this.delete(key)
    super.set(key, value)
    if (this.size <= MAX_REMEMBERED) return this
    const [oldest] = this.keys()
    if (oldest !== undefined) this.delete(oldest)
    return this
  }
}
