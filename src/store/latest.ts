interface Identified {
  readonly table: string
  readonly id: number
  readonly row?: unknown
}

/** The latest change of each record that has changed; one without a row is the end of a record's changes. */
export class LatestChanges<C extends Identified> {
  readonly #tables = new Map<string, Map<number, C>>()
  #size = 0

  /** How many records have changed. */
  get size(): number {
    return this.#size
  }

  /** Takes changes over, null for dropping all before. Gives how many changes it has thereby forgotten. */
  apply(changes: readonly C[] | null): number {
    const before = this.#size
    if (changes === null) {
      this.#tables.clear()
      this.#size = 0
      return before
    }
    for (const change of changes) this.#set(change)
    return before + changes.length - this.#size
  }

  /** Order: by table, then as the records first changed. */
  list(): C[] {
    return Array.from(this.#tables.values(), (records) => [...records.values()]).flat()
  }

  #set(change: C): void {
    let records = this.#tables.get(change.table)
    if (!records) this.#tables.set(change.table, (records = new Map()))
    const before = records.size
    if (change.row === undefined) records.delete(change.id)
    else records.set(change.id, change)
    this.#size += records.size - before
  }
}
