import { toSortable } from '../../contract/fields.ts'
import { type Row, type TableName, nameRecord } from '../../store/tables.ts'
import { Chances } from './chances.ts'
import { findCustomerId, findOperations } from './collections.ts'
import { isVersion, readUpdatedDate } from './compare.ts'
import type { Context } from './context.ts'
import {
  createFinding,
  type DueVersion,
  explainBegin,
  explainEntry,
  explainRequest,
  explainWalk,
  type Finding,
} from './losses.ts'
import { nameRequest, overlaps, type Read } from './reads.ts'
import { Versions } from './views.ts'
import { findNewest, nameRequests, type PageWalk } from './walks.ts'

interface Wrong {
  readonly kind: 'missed' | 'stale' | 'ghosts'
  readonly id: number
  /** Reports whether the copy's row is what a request has shown. */
  readonly isCopied: (read: Read) => boolean
}

/** Finds out why the records of a collection are not as they were when the client last began to read them. */
export class Reasons {
  readonly #context: Context
  /** The records as the client reads them: by themselves, if it does so. */
  readonly versions: Versions
  readonly chances: Chances
  /** The walks through lists of the collection. Order: by their first requests. */
  readonly walks: readonly PageWalk[]
  readonly #pages: readonly Read[]
  readonly #prepared = new Set<PageWalk>()
  #customers: Reasons | undefined

  constructor(context: Context, table: TableName) {
    const { list, single } = findOperations(table)
    const readsSingle = context.reads.some(({ delivery }) => delivery.endpoint === single)
    this.#context = context
    this.versions = new Versions(context, single && readsSingle ? single : list)
    this.chances = new Chances(context, this.versions)
    this.walks = context.walks.filter((walk) => walk.table === table)
    this.#pages = this.walks.flatMap(({ answered }) => answered)
  }

  /** Rebuilds the lists of the walks that may explain what is wrong with a record, each in a step. */
  *prepare(id: number): Generator<undefined, void> {
    for (const walk of this.chances.findWalks(id)) {
      if (this.#prepared.has(walk)) continue
      this.#prepared.add(walk)
      for (const read of walk.reads) {
        this.#context.lists.find(read)
        if (read.cursor !== undefined && read.list.isFiltered) {
          this.#context.lists.find(read, read.state.index, true)
        }
        yield
      }
    }
  }

  explain(wrong: Wrong): Finding {
    const version = wrong.kind === 'ghosts' ? undefined : this.#findDue(wrong)
    if (!version) return this.#explainGhost(wrong.id)
    return this.#explainDelivered(wrong, version) ?? this.#explainUndelivered(version)
  }

  /** Explains which cursor excludes a change after a state, or which walk has lost a record that no response has shown since. */
  explainLost(id: number, start: number): Finding | undefined {
    const { lists, findShowing } = this.#context
    const changed = this.#findUndelivered(id, 'stale')
    const passed = changed && changed.since > start ? this.#explainCursor(changed) : undefined
    if (passed?.reason === 'cursor_past_change' || passed?.reason === 'tie_at_cursor') return passed
    const due = this.#findDue({ kind: 'missed', id })
    const shownId = findShowing(this.versions.table, id).at(-1)?.id ?? 0
    for (const walk of this.chances.findWalks(id).toReversed()) {
      // A walk through the whole list shows what is gone, any other one only what is new.
      const version = !walk.first.isFull ? changed : shownId < walk.first.id ? due : undefined
      const loss = version && explainWalk(walk, version, lists)
      if (loss?.reason === 'page_drift') return loss
    }
    return undefined
  }

  #findUndelivered(id: number, kind: 'missed' | 'stale'): DueVersion | undefined {
    const wrong = { kind, id, isCopied: () => false } as const
    const version = this.#findDue(wrong)
    return version && !this.#explainDelivered(wrong, version) ? version : undefined
  }

  #findDue({ kind, id }: Pick<Wrong, 'kind' | 'id'>): DueVersion | undefined {
    const versions = this.versions
    const first = this.chances.findStart(id)
    // A record that was gone meanwhile is due since it came back.
    const due = Array.from(versions.list(id, first)).find((version) => version.shown !== undefined)
    if (!due?.shown) return undefined
    const { shown } = due
    const since = versions.findBegin(id, Math.max(due.from, first), kind === 'missed')
    if (kind === 'missed') {
      const isShown = (read: Read): boolean => read.rows?.has(id) === true
      return { id, shown, since, isShown, isDelivered: () => true }
    }
    const isShown = (read: Read): boolean => {
      const delivered = read.getRow(id)
      const { shown: present } = versions.find(id, read.state.index)
      return (
        delivered !== undefined &&
        present !== undefined &&
        (read.isRewritten || isVersion(delivered, present))
      )
    }
    const isDelivered = (read: Read): boolean =>
      isVersion(read.getRow(id) ?? {}, shown) || (read.isRewritten && isShown(read))
    return { id, shown, since, isShown, isDelivered }
  }

  #explainGhost(id: number): Finding {
    const { past, findShowing } = this.#context
    const { table } = this.versions
    const showing = findShowing(table, id)
    const last = this.versions.findLast(id)
    const shown = showing.at(-1)
    const late = showing.findLast(({ state }) => state.index > (last ?? -1))
    if (late) {
      const text = `it was deleted before ${nameRequest(late)}, but the list still showed it`
      return createFinding('late_visible', [late], text)
    }
    const had = this.#context.since === undefined ? 'has never had' : 'does not have'
    if (last === undefined) return createFinding('unknown', [], `the service ${had} it`)
    const refused = this.chances.findRefusal(id, last)
    const full = this.chances.findFullWalk(id, last)
    const customerId = findCustomerId(table, past.findRow(table, id, past.getState(last)))
    const isAlone = customerId === undefined || past.findRow('customers', customerId, past.now)
    const along = isAlone ? '' : ` with ${nameRecord('customers', customerId)}`
    const after = shown ? `after ${nameRequest(shown)}` : 'meanwhile'
    const fact = refused
      ? `${nameRequest(refused)}, was answered with 404: remove it then`
      : full
        ? `the full walk of ${nameRequests(full)} does not show ${isAlone ? 'it' : 'that customer'} any more: ask for it by its id, and remove it on a 404`
        : 'no full walk has followed, and nothing else announces it'
    const reads = refused ? [refused] : (full?.reads ?? showing.slice(-1))
    return createFinding('deleted_unseen', reads, `it was deleted${along} ${after}; ${fact}`)
  }

  #explainDelivered({ id, kind, isCopied }: Wrong, version: DueVersion): Finding | undefined {
    const { lists, findShowing, findRequests } = this.#context
    const showing = findShowing(this.versions.table, id)
    const delivered = showing.findLast(
      (read) => read.state.index >= version.since && version.isDelivered(read),
    )
    if (!delivered) return undefined
    if (kind === 'missed') {
      const later = this.chances
        .findWalks(id)
        .findLast(
          ({ first, reads }) =>
            first.id > delivered.id && reads.some((read) => lists.find(read).has(id)) && lists.isFull(first),
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
    const failure = explainRequest(findRequests(this.versions.table, id), version.since, delivered.id)
    if (failure) return failure
    const text = `${nameRequest(delivered)}, has delivered it`
    return this.#explainFiltered(id, delivered) ?? createFinding('delivered_not_stored', [delivered], text)
  }

  /** Explains a row that a filter of the client itself has left out, since it is no newer than its cursor. */
  #explainFiltered(id: number, delivered: Read): Finding | undefined {
    const updatedDate = readUpdatedDate(delivered.getRow(id))
    const { cursor } = delivered
    if (cursor === undefined || updatedDate === undefined) return undefined
    const newest = findNewest(this.#pages, delivered.id)
    const isCursor = toSortable(cursor) === toSortable(updatedDate)
    if (!isCursor && newest?.newestDate !== updatedDate) return undefined
    const tie = isCursor
      ? 'that updatedSince'
      : `the newest that ${nameRequest(newest ?? delivered)}, has shown`
    const text = `${nameRequest(delivered)}, has delivered it, but its updatedDate (${updatedDate}) equals ${tie}, and the client has left it out: keep rows of that very instant, too (>=, not >)`
    return createFinding('tie_at_cursor', [delivered], text)
  }

  #explainUndelivered(version: DueVersion): Finding {
    const walks = this.chances.findWalks(version.id)
    const requests = this.#context.findRequests(this.versions.table, version.id)
    const failure = explainRequest(requests, version.since, walks.at(-1)?.first.id)
    if (failure) return failure
    for (const walk of walks.toReversed()) {
      const loss = explainWalk(walk, version, this.#context.lists)
      if (!loss) continue
      const isUnfinished = loss.reason === 'unread_tail' || loss.reason === 'fault_not_retried'
      const next = isUnfinished ? this.#findPassing(version, walk.last.id) : undefined
      if (!next) return loss
      const fact = `goes on after the row's change at ${readUpdatedDate(version.shown)}, so that no cursor from there on finds it`
      const text = `${loss.text}; ${nameRequest(next)}, ${fact}: move the cursor only once all pages are stored`
      return { ...loss, text }
    }
    return this.#explainCursor(version) ?? this.#explainUnread(version, walks)
  }

  /** Finds the first read after a request whose cursor excludes a record, although the list without the cursor has it. */
  #findPassing({ id, since }: DueVersion, after = 0): Read | undefined {
    const firsts = this.chances.findWalks(id).map(({ first }) => first)
    return firsts.find(
      (read) =>
        read.id > after &&
        read.cursor !== undefined &&
        read.state.index >= since &&
        this.#context.lists.isLeftOut(read, id),
    )
  }

  /** Explains which cursor excludes a record, although the list without the cursor has it; undefined if none does. */
  #explainCursor(version: DueVersion): Finding | undefined {
    const { id, since, shown } = version
    const updatedDate = readUpdatedDate(shown)
    const first = this.#findPassing(version)
    if (!first || updatedDate === undefined) return undefined
    const { at } = first.delivery.moment
    const ahead = toSortable(first.cursor ?? '') > toSortable(at) ? `, after the service's time (${at})` : ''
    const asked = `${nameRequest(first)}, asks for what has changed since ${first.cursor}${ahead}`
    const former = since > 0 ? this.versions.find(id, since - 1).shown : undefined
    if (readUpdatedDate(former) === updatedDate) {
      const text = `it changed without a new updatedDate (${updatedDate}), and ${asked}`
      return createFinding('silent_change', [first], text)
    }
    const before = this.#pages.filter((page) => page.id < first.id && page.state.index < since)
    const late = before.findLast(({ state }) => toSortable(state.at) > toSortable(updatedDate))
    if (late) {
      const text = `it appeared after ${nameRequest(late)}, with an updatedDate before that request (${updatedDate}), and ${asked}: let each cursor overlap the run before`
      return createFinding('late_visible', [late, first], text)
    }
    const newest = findNewest(this.#pages, first.id)
    if (newest?.newestDate === updatedDate) {
      const text = `it changed at ${updatedDate}, the same instant as the newest record of ${nameRequest(newest)}, and ${asked}, which excludes that instant: ask from the instant itself`
      return createFinding('tie_at_cursor', [newest, first], text)
    }
    const text = `it changed at ${updatedDate}, no earlier response has shown that, and ${asked}: a cursor must be no later than the beginning of the run before`
    return createFinding('cursor_past_change', [...before.slice(-1), first], text)
  }

  #explainUnread(version: DueVersion, walks: readonly PageWalk[]): Finding {
    const { id, since } = version
    const { past, lists } = this.#context
    const start = this.chances.findStart(id)
    const { table } = this.versions
    const customerId = findCustomerId(table, past.findRow(table, id, past.getState(start)))
    const list = walks.findLast(({ first }) => lists.find(first, start, true).has(id))
    const last = list?.reads.findLast(({ state }) => state.index < since) ?? list?.last
    const explainNever = (text: string): Finding => createFinding('never_requested', last ? [last] : [], text)
    const skipped = list && explainBegin(list, version, lists)
    if (skipped) return skipped
    if (customerId === undefined)
      return (list && explainEntry(list, version, lists)) ?? explainNever('no request asks for it')
    if (list && lists.isLeftOut(list.first, id))
      return explainNever(`${nameRequest(list.first)}, leaves it out by its minStartDate`)
    const lost = this.#explainCustomer(customerId, list ? 'stale' : 'missed')
    const customer = nameRecord('customers', customerId)
    if (!last) {
      return lost
        ? { ...lost, text: `${customer} is missing, because ${lost.text}` }
        : explainNever(`no request asks for the ${table} of ${customer}`)
    }
    const findCustomer = (index: number): Row<'customers'> | undefined =>
      index < 0 ? undefined : past.findRow('customers', customerId, past.getState(index))
    if (findCustomer(since - 1)?.updatedDate === findCustomer(start)?.updatedDate) {
      const text = `it changed after ${nameRequest(last)}, but ${customer} did not, and its ${table} were not read again`
      return createFinding('child_only_change', [last], text)
    }
    if (lost) return { ...lost, text: `the change of ${customer} was not seen, because ${lost.text}` }
    return explainNever(
      `${customer} has changed since ${nameRequest(last)}, but no request has asked for its ${table} again`,
    )
  }

  /** Explains why no response has shown a customer at all, or as it is; undefined if one has, or if none is about customers. */
  #explainCustomer(id: number, kind: 'missed' | 'stale'): Finding | undefined {
    if (!this.#context.walks.some(({ table }) => table === 'customers')) return undefined
    const customers = (this.#customers ??= new Reasons(this.#context, 'customers'))
    const version = customers.#findUndelivered(id, kind)
    return version && customers.#explainUndelivered(version)
  }
}
