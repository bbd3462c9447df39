import { toSortable } from '../../contract/instants.ts'
import { groupBy } from '../../core/maps.ts'
import { type Row, type TableName, nameRecord } from '../../store/tables.ts'
import { Chances } from './chances.ts'
import { findCustomerId } from './collections.ts'
import { isVersion, readUpdatedDate } from './compare.ts'
import type { Context } from './context.ts'
import { createFinding, explainCursor, explainWalk, type Finding, type DueRecord } from './losses.ts'
import { nameRequest, overlaps, type Read } from './reads.ts'
import type { Versions } from './views.ts'
import {
  createFinder,
  findNewest,
  listNewestDates,
  nameRequests,
  type NewestDate,
  type PageWalk,
} from './walks.ts'

interface Wrong {
  readonly kind: 'missed' | 'stale' | 'ghosts'
  readonly id: number
  /** Reports whether the copy's row is what a request has shown. */
  readonly isCopied: (read: Read) => boolean
}

interface DueVersion extends DueRecord {
  readonly isDelivered: (read: Read) => boolean
}

/** Finds out why the records of a collection are not as they were when the client last began to read them. */
export class Reasons {
  readonly #context: Context
  readonly #table: TableName
  readonly #versions: Versions
  readonly #chances: Chances
  /** The walks through lists of the collection. Order: by their first requests. */
  readonly walks: readonly PageWalk[]
  readonly #explainCustomer: (id: number) => Finding | undefined
  readonly #findWalks: ReturnType<typeof createFinder<PageWalk>>
  /** The walks of the record that was looked at last. */
  #lastWalks: { readonly id: number; readonly walks: readonly PageWalk[] } | undefined
  readonly #prepared = new Set<PageWalk>()
  /** The pages of the collection, with their newest dates. */
  readonly #pages: readonly NewestDate[]
  /** The requests for single records that were answered with 404. */
  readonly #refused: ReadonlyMap<unknown, readonly Read[]>

  constructor(
    context: Context,
    versions: Versions,
    walks: readonly PageWalk[],
    explainCustomer: (id: number) => Finding | undefined,
  ) {
    this.#context = context
    this.#table = versions.table
    this.#versions = versions
    this.#chances = new Chances(context, versions, walks)
    this.walks = walks.filter(({ table }) => table === versions.table)
    this.#explainCustomer = explainCustomer
    this.#findWalks = createFinder(this.walks, versions.table)
    this.#pages = listNewestDates(this.walks)
    const refused = context.reads.filter(
      ({ table, range, delivery }) =>
        table === versions.table && range === undefined && delivery.status === 404,
    )
    this.#refused = groupBy(refused, ({ address }) => Object.values(address?.path ?? {}).at(-1))
  }

  /** Lists the walks whose list has had a record. Order: by their first requests. */
  findWalks(id: number): readonly PageWalk[] {
    if (this.#lastWalks?.id !== id) {
      const listRows = () => Array.from(this.#versions.listFormer(id)).flatMap(({ row }) => row ?? [])
      const walks = this.#findWalks(listRows).toSorted((a, b) => a.first.id - b.first.id)
      this.#lastWalks = { id, walks }
    }
    return this.#lastWalks.walks
  }

  /** Rebuilds the lists of the walks that may explain what is wrong with a record, each in a step. */
  *prepare(id: number): Generator<undefined, void> {
    for (const walk of this.findWalks(id)) {
      if (this.#prepared.has(walk)) continue
      this.#prepared.add(walk)
      for (const read of walk.reads) {
        this.#context.lists.find(read)
        if (read.cursor !== undefined && read.isFiltered) {
          this.#context.lists.find(read, read.state.index, true)
        }
        yield
      }
    }
  }

  /** Finds the state since which the client may not have seen a record as it is. */
  findStart = (id: number): number => this.#chances.findLast(id)

  explain(wrong: Wrong): Finding {
    const version = wrong.kind === 'ghosts' ? undefined : this.#findDue(wrong)
    if (!version) return this.#explainGhost(wrong.id)
    return this.#explainDelivered(wrong, version) ?? this.#explainUndelivered(version)
  }

  /** Explains why no response has shown a record as it is; undefined if one has. */
  explainLoss(id: number): Finding | undefined {
    const kind = this.#context.findShowing(this.#table, id).length === 0 ? 'missed' : 'stale'
    const version = this.#findUndelivered(id, kind)
    return version && this.#explainUndelivered(version)
  }

  /** Explains which cursor excludes a change after a state; undefined if none does, or a response has shown the change. */
  explainPassed(id: number, start: number): Finding | undefined {
    const version = this.#findUndelivered(id, 'stale')
    if (!version || version.since <= start) return undefined
    const finding = this.#explainCursor(version)
    return finding?.reason === 'cursor_past_change' || finding?.reason === 'tie_at_cursor'
      ? finding
      : undefined
  }

  #findUndelivered(id: number, kind: 'missed' | 'stale'): DueVersion | undefined {
    const wrong = { kind, id, isCopied: () => false } as const
    const version = this.#findDue(wrong)
    return version && !this.#explainDelivered(wrong, version) ? version : undefined
  }

  #findDue({ kind, id }: Wrong): DueVersion | undefined {
    const versions = this.#versions
    const first = this.findStart(id)
    // A record that was gone meanwhile is due since it came back.
    const due = Array.from(versions.list(id, first)).find((version) => version.shown !== undefined)
    if (!due?.shown) return undefined
    const { shown } = due
    const start = Math.max(due.from, first)
    if (kind === 'missed') {
      const isShown = (read: Read): boolean => read.rows?.has(id) === true
      return { id, shown, since: versions.findAppearance(id, start), isShown, isDelivered: () => true }
    }
    const isShown = (read: Read): boolean => this.#showsPresent(id, read)
    const isDelivered = (read: Read): boolean =>
      isVersion(read.rows?.get(id) ?? {}, shown) || (read.isRewritten && isShown(read))
    return { id, shown, since: versions.findBegin(id, start), isShown, isDelivered }
  }

  /** Reports whether a request has shown a record as it was then. */
  #showsPresent(id: number, read: Read): boolean {
    const delivered = read.rows?.get(id)
    const { shown } = this.#versions.find(id, read.state.index)
    return delivered !== undefined && shown !== undefined && (read.isRewritten || isVersion(delivered, shown))
  }

  /**
   * Reports whether a client can know that a record is gone: a full walk does not show it any more, or a request for it
   * was answered with 404.
   */
  isKnownGone(id: number): boolean {
    const last = this.#versions.findLast(id)
    if (last === undefined) return false
    const isRefused = this.#refused.get(id)?.some(({ state }) => state.index > last) ?? false
    return isRefused || this.#findFullWalk(id, last) !== undefined
  }

  #explainGhost(id: number): Finding {
    const showing = this.#context.findShowing(this.#table, id)
    const last = this.#versions.findLast(id)
    const shown = showing.at(-1)
    if (last === undefined) {
      const text = shown
        ? `the service has deleted it after ${nameRequest(shown)}`
        : 'the service has never had it'
      return createFinding('unknown', showing.slice(-1), text)
    }
    const late = showing.findLast(({ state }) => state.index > last)
    if (late) {
      const text = `it was deleted before ${nameRequest(late)}, but the list still showed it`
      return createFinding('late_visible', [late], text)
    }
    const full = this.#findFullWalk(id, last)
    const after = shown ? `after ${nameRequest(shown)}` : 'meanwhile'
    const fact = full
      ? `the full walk of ${nameRequests(full)} does not show it any more: ask for it by its id, and remove it on a 404`
      : 'no full walk has followed, and nothing else announces it'
    const reads = full?.reads ?? showing.slice(-1)
    return createFinding('deleted_unseen', reads, `it was deleted ${after}; ${fact}`)
  }

  /** Finds a full walk through a list that has had a record up to a state, but not any more. */
  #findFullWalk(id: number, last: number): PageWalk | undefined {
    return this.findWalks(id).findLast(
      ({ isComplete, first, answered }) =>
        first.isFull &&
        isComplete &&
        answered.every((read) => read.state.index > last && !read.rows?.has(id)) &&
        this.#context.lists.find(first, last).has(id),
    )
  }

  #explainDelivered({ id, kind, isCopied }: Wrong, version: DueVersion): Finding | undefined {
    const { lists, findShowing } = this.#context
    const showing = findShowing(this.#table, id)
    const delivered = showing.findLast(
      (read) => read.state.index >= version.since && version.isDelivered(read),
    )
    if (!delivered) return undefined
    if (kind === 'missed') {
      const later = this.findWalks(id).findLast(
        ({ first, reads }) =>
          first.isFull && first.id > delivered.id && reads.some((read) => lists.find(read).has(id)),
      )
      const loss =
        later && !later.reads.some(version.isShown) ? explainWalk(later, version, lists) : undefined
      if (loss) return loss
    }
    const older = showing.findLast((read) => read !== delivered && isCopied(read))
    if (kind === 'stale' && older && (older.id > delivered.id || overlaps(older, delivered))) {
      const text = `${nameRequest(delivered)}, has delivered the newer version, but the older one of ${nameRequest(older)}, has overwritten it`
      return createFinding('older_overwrote_newer', [delivered, older], text)
    }
    const text = `${nameRequest(delivered)}, has delivered it`
    return this.#explainFiltered(id, delivered) ?? createFinding('delivered_not_stored', [delivered], text)
  }

  /** Explains a row that a filter of the client itself has left out, since it is no newer than its cursor. */
  #explainFiltered(id: number, delivered: Read): Finding | undefined {
    const updatedDate = readUpdatedDate(delivered.rows?.get(id))
    const { cursor } = delivered
    if (cursor === undefined || updatedDate === undefined) return undefined
    const newest = findNewest(this.#pages.filter(({ read }) => read.id < delivered.id))
    const isCursor = toSortable(cursor) === toSortable(updatedDate)
    if (!isCursor && newest?.updatedDate !== updatedDate) return undefined
    const tie = isCursor
      ? 'that updatedSince'
      : `the newest that ${nameRequest(newest?.read ?? delivered)}, has shown`
    const text = `${nameRequest(delivered)}, has delivered it, but its updatedDate (${updatedDate}) equals ${tie}, and the client has left it out: compare with >=, not with >`
    return createFinding('tie_at_cursor', [delivered], text)
  }

  #explainUndelivered(version: DueVersion): Finding {
    const walks = this.findWalks(version.id)
    for (const walk of walks.toReversed()) {
      const loss = explainWalk(walk, version, this.#context.lists)
      if (loss) return loss
    }
    return this.#explainCursor(version) ?? this.#explainUnread(version, walks)
  }

  #explainCursor = (version: DueVersion): Finding | undefined =>
    explainCursor(this.findWalks(version.id), version, this.#versions, this.#pages, this.#context.lists)

  #explainUnread({ id, since }: DueVersion, walks: readonly PageWalk[]): Finding {
    const { past, lists } = this.#context
    const start = this.findStart(id)
    const customerId = findCustomerId(this.#table, past.findRow(this.#table, id, past.getState(start)))
    const list = walks.findLast(({ first }) => lists.find(first, start, true).has(id))
    const explainNever = (text: string): Finding =>
      createFinding('never_requested', list ? [list.last] : [], text)
    if (customerId === undefined) return explainNever('no request asks for it')
    const lost = this.#explainCustomer(customerId)
    const customer = nameRecord('customers', customerId)
    if (!list) {
      return lost
        ? { ...lost, text: `${customer} is missing, because ${lost.text}` }
        : explainNever(`no request asks for the ${this.#table} of ${customer}`)
    }
    const findCustomer = (index: number): Row<'customers'> | undefined =>
      index < 0 ? undefined : past.findRow('customers', customerId, past.getState(index))
    if (findCustomer(since - 1)?.updatedDate === findCustomer(start)?.updatedDate) {
      const text = `it changed after ${nameRequest(list.last)}, but ${customer} did not, and its ${this.#table} were not read again`
      return createFinding('child_only_change', [list.last], text)
    }
    if (lost) return { ...lost, text: `the change of ${customer} was not seen, because ${lost.text}` }
    return explainNever(
      `${customer} has changed since ${nameRequest(list.last)}, but no request has asked for its ${this.#table} again`,
    )
  }
}
