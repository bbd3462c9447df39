/** A map that forgets its oldest entries, so that it stays small. Order: as set. */
export class Recent<V> {
  readonly #max: number
  #values: Map<string, V> | undefined

  constructor(max: number) {
    this.#max = max
  }

  get isEmpty(): boolean {
    return this.#values === undefined || this.#values.size === 0
  }

  get(key: string): V | undefined {
    return this.#values?.get(key)
  }

  /** Sets a value; it is now the youngest. */
  set(key: string, value: V): void {
    const values = (this.#values ??= new Map())
    values.delete(key)
    values.set(key, value)
    if (values.size <= this.#max) return
    for (const oldest of values.keys()) {
      values.delete(oldest)
      return
    }
  }

  delete(key: string): void {
    this.#values?.delete(key)
  }

  values(): V[] {
    return Array.from(this.#values?.values() ?? [])
  }
}
