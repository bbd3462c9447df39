import { SandboxError } from '../../core/errors.ts'
import { lowerBound } from '../../core/lower-bound.ts'
import { getOrCreate } from '../../core/maps.ts'
import { readRecords } from '../../service/endpoint.ts'
import type { Row, TableName } from '../../store/tables.ts'
import type { Span, State, Viewer } from './past.ts'
import type { Read } from './reads.ts'
import { StateData } from './state-data.ts'

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
    const [added, removed] = compareIds(like.#shared, ids)
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

/** Lists the ids that the second of two ascending lists has besides, and those that it does not have. */
function compareIds(
  before: readonly number[],
  after: readonly number[],
): [added: number[], removed: number[]] {
  const [added, removed]: [number[], number[]] = [[], []]
  let at = 0
  for (const id of after) {
    for (let other = before[at]; other !== undefined && other < id; other = before[at]) {
      removed.push(other)
      at += 1
    }
    if (before[at] === id) at += 1
    else added.push(id)
  }
  return [added, [...removed, ...before.slice(at)]]
}

interface KnownLists {
  readonly byState: Map<number, Places>
  readonly spans: (Span & { readonly places: Places })[]
}

/** The lists that a member sees in each state. */
export class Lists {
  readonly #viewer: Viewer
  readonly #known = new Map<string, KnownLists>()

  constructor(viewer: Viewer) {
    this.#viewer = viewer
  }

  /** Finds the places of the records in the list of a request, by default as it was then. */
  find(read: Read, index: number = read.state.index, withoutCursor = false): Places {
    const key = withoutCursor ? read.family : read.list
    const { byState, spans } = getOrCreate(this.#known, key, () => ({ byState: new Map(), spans: [] }))
    return getOrCreate(byState, index, () => {
      const known = spans.find(({ from, to }) => from <= index && index <= to)
      if (known) return known.places
      const { ids, ...span } = this.listIds(read, this.#viewer.past.getState(index), withoutCursor)
      const places = new Places(ids, spans.at(-1)?.places)
      spans.push({ ...span, places })
      return places
    })
  }

  /** Reports whether the list of a request, without its cursor, has a record in a state. */
  isListed(read: Read, row: Row<TableName>, index: number): boolean {
    if (read.isFiltered) return this.find(read, index, true).has(row.id)
    const { past } = this.#viewer
    const isOnPath = Object.entries(read.address?.path ?? { id: undefined }).every(
      ([name, value]) => !(name in row) || Reflect.get(row, name) === value,
    )
    return isOnPath && this.#locate(read, new StateData(past, past.getState(index))) !== undefined
  }

  /** Lists the ids in the list of a request as it was in a state, with the states in which it was the same. */
  listIds(read: Read, state: State, withoutCursor = false): Span & { readonly ids: readonly number[] } {
    const { past } = this.#viewer
    const data = new StateData(past, state)
    let isTimed = false
    const now = (): string => {
      isTimed = true
      return state.at
    }
    const ids = this.#select(read, data, now, withoutCursor).map(({ id }) => id)
    return {
      ids,
      ...(isTimed ? { from: state.index, to: state.index } : past.findSpan(state.index, data.reads)),
    }
  }

  #select(read: Read, data: StateData, now: () => string, withoutCursor: boolean): readonly Row<TableName>[] {
    const address = this.#locate(read, data)
    if (!address) return []
    const { endpoint, settings } = read.delivery
    const cursor = withoutCursor ? { updatedSince: undefined, minStartDate: undefined } : {}
    const query = { ...read.address?.query, ...cursor }
    const call = { ...address, query, body: undefined, data, settings, now }
    const result = unlessRefused(() => readRecords(endpoint, call))
    if (!result) return []
    return 'page' in result ? result.page() : [result]
  }

  /** Finds what the path of a request names; undefined if there is no such list. */
  #locate({ address, delivery }: Read, data: StateData) {
    if (!address) return undefined
    const { path } = address
    const { endpoint, settings } = delivery
    const caller = data.get('members', this.#viewer.caller.id) ?? this.#viewer.caller
    const record = unlessRefused(() => endpoint.find?.({ path, caller, data, settings }))
    return endpoint.find && !record ? undefined : { path, caller, record }
  }
}

/** Returns undefined if the service refuses the request. */
function unlessRefused<R>(run: () => R): R | undefined {
  try {
    return run()
  } catch (error) {
    if (error instanceof SandboxError) return undefined
    throw error
  }
}
