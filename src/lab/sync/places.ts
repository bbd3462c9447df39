import { lowerBound } from '../../core/lower-bound.ts'

/** Finds the number of ids below one in an ascending list. */
const rank = (ids: readonly number[], id: number): number =>
  lowerBound(ids.length, (at) => (ids[at] ?? 0) >= id)

const has = (ids: readonly number[], id: number): boolean => ids[rank(ids, id)] === id

/**
 * The places of the records in a list. Lists of different states share the ids that they have in common, so that a walk
 * during which the list changes often takes little memory.
 */
export class Places {
  /** Ascending, as are those that the list has besides or does not have. */
  readonly #shared: readonly number[]
  readonly #added: readonly number[] = []
  readonly #removed: readonly number[] = []
  /** The places in a list that is in another order. */
  readonly #places: ReadonlyMap<number, number> | undefined

  /** @param ids in the order of the list */
  constructor(ids: readonly number[], like?: Places) {
    this.#shared = ids
    const isAscending = ids.every((id, at) => at === 0 || (ids[at - 1] ?? 0) < id)
    if (!isAscending) this.#places = new Map(ids.map((id, place) => [id, place]))
    if (!isAscending || !like || like.#places) return
    const added = ids.filter((id) => !has(like.#shared, id))
    const removed = like.#shared.filter((id) => !has(ids, id))
    if ((added.length + removed.length) * 2 > ids.length) return
    this.#shared = like.#shared
    this.#added = added
    this.#removed = removed
  }

  find(id: number): number | undefined {
    if (this.#places) return this.#places.get(id)
    const place = rank(this.#shared, id)
    const isShared = this.#shared[place] === id
    if (isShared ? has(this.#removed, id) : !has(this.#added, id)) return undefined
    return place - rank(this.#removed, id) + rank(this.#added, id)
  }

  has(id: number): boolean {
    return this.find(id) !== undefined
  }

  /** Lists the ids that another list of the same kind does not have, by their places in this one. */
  listWithout(other: Places): readonly number[] {
    const isShared = this.#shared === other.#shared && !this.#places
    const all = this.#places ? [...this.#places.keys()] : [...this.#shared, ...this.#added]
    const candidates = isShared ? [...other.#removed, ...this.#added] : all
    const gone = candidates.filter((id) => this.has(id) && !other.has(id))
    return gone.toSorted((a, b) => (this.find(a) ?? 0) - (this.find(b) ?? 0))
  }
}
