import { toSortable } from '../contract/instants.ts'
import { type TableName, nameRecord } from '../store/tables.ts'
import { findCustomerId } from './collections.ts'
import { type Context, createFinding, type Finding } from './context.ts'
import type { State } from './history.ts'
import { explainWalk, type Sought } from './losses.ts'
import type { Read } from './reads.ts'
import { isVersion, readUpdatedDate, type Version, type Versions } from './versions.ts'
import type { Pages, Run } from './walks.ts'

interface Wrong {
  readonly kind: 'missed' | 'stale' | 'ghosts'
  readonly id: number
  readonly isCopied: (read: Read) => boolean
}

interface SoughtVersion extends Sought {
  readonly version: Version
  readonly isDelivered: (read: Read) => boolean
}

export class Reasons {
  readonly #context: Context
  readonly #versions: Versions
  readonly #table: TableName
  readonly #walks: readonly Pages[]
  readonly #start: State
  readonly #explainCustomer: (id: number) => Finding | undefined

  constructor(
    context: Context,
    versions: Versions,
    run: Run | undefined,
    explainCustomer: (id: number) => Finding | undefined,
  ) {
    this.#context = context
    this.#versions = versions
    this.#table = versions.table
    this.#walks = context.walks.filter(({ table }) => table === versions.table)
    this.#start = run?.first.state ?? context.history.now
    this.#explainCustomer = explainCustomer
  }

  explain(wrong: Wrong): Finding {
    const version = this.#versions.find(wrong.id, this.#start)
    if (wrong.kind === 'ghosts' || !version) return this.#explainGhost(wrong)
    const sought = this.#seek(wrong, version)
    return this.#explainDelivered(wrong, sought) ?? this.#explainUndelivered(sought)
  }

  #seek({ kind, id }: Wrong, version: Version): SoughtVersion {
    const isMissed = kind === 'missed'
    return {
      id,
      version,
      since: isMissed
        ? this.#versions.findAppearance(id, this.#start)
        : this.#versions.findBegin(id, this.#start),
      isShown: (read) => (isMissed ? read.rows?.has(id) === true : this.#isShown(id, read)),
      isDelivered: (read) =>
        isMissed ||
        isVersion(read.rows?.get(id) ?? {}, version) ||
        (read.isRewritten && this.#isShown(id, read)),
    }
  }

  explainLoss(id: number): Finding | undefined {
    const version = this.#versions.find(id, this.#start)
    if (!version) return undefined
    const kind = this.#context.findShowing(this.#table, id).length === 0 ? 'missed' : 'stale'
    const wrong = { kind, id, isCopied: () => false } as const
    const sought = this.#seek(wrong, version)
    return this.#explainDelivered(wrong, sought) ? undefined : this.#explainUndelivered(sought)
  }

  /** Reports whether a client can know that a record is gone: a full walk does not show it any more, or a request for it was answered with 404. */
  isKnownGone(id: number): boolean {
    const last = this.#findLastState(id)
    if (!last) return false
    const isRefused = ({ table, range, state, delivery, address }: Read): boolean =>
      table === this.#table &&
      range === undefined &&
      delivery.status === 404 &&
      state.index > last.index &&
      Object.values(Object(address?.path)).at(-1) === id
    return this.#findFullWalk(id, last) !== undefined || this.#context.reads.some(isRefused)
  }

  #findLastState(id: number): State | undefined {
    return this.#context.history.states.findLast((state) => this.#versions.find(id, state) !== undefined)
  }

  #isShown(id: number, read: Read): boolean {
    const shown = read.rows?.get(id)
    const version = this.#versions.find(id, read.state)
    return shown !== undefined && version !== undefined && (read.isRewritten || isVersion(shown, version))
  }

  #explainGhost({ id }: Wrong): Finding {
    const showing = this.#context.findShowing(this.#table, id)
    const last = this.#findLastState(id)
    if (!last) {
      const text = showing.length > 0 ? 'the service has deleted it' : 'the service has never had it'
      return createFinding('unknown', showing.slice(-1), text)
    }
    const late = showing.findLast(({ state }) => state.index > last.index)
    if (late) {
      const text = `it was deleted before request ${late.id}, but the list still showed it`
      return createFinding('late_visible', [late], text)
    }
    const [shown] = showing.slice(-1)
    const after = shown ? `after request ${shown.id}` : 'meanwhile'
    const full = this.#findFullWalk(id, last)
    const fact = full
      ? `the full walk of ${nameRequests(full)} does not show it any more`
      : 'no full walk has followed, and nothing else announces it'
    const reads = full?.reads ?? showing.slice(-1)
    return createFinding('deleted_unseen', reads, `it was deleted ${after}, and ${fact}`)
  }

  #findFullWalk(id: number, lastState: State): Pages | undefined {
    const { lists } = this.#context
    return this.#walks.findLast(
      ({ isFull, isComplete, first, answered }) =>
        isFull &&
        isComplete &&
        answered.every((read) => read.state.index > lastState.index && !read.rows?.has(id)) &&
        lists.find(first, lastState).has(id),
    )
  }

  #explainDelivered(
    { id, kind, isCopied }: Wrong,
    { since, isShown, isDelivered }: SoughtVersion,
  ): Finding | undefined {
    const showing = this.#context.findShowing(this.#table, id)
    const delivered = showing.findLast((read) => read.state.index >= since.index && isDelivered(read))
    if (!delivered) return undefined
    if (kind === 'missed') {
      const { lists } = this.#context
      const later = this.#walks.findLast(
        ({ isFull, first, reads }) =>
          isFull && first.id > delivered.id && reads.some((read) => lists.find(read).has(id)),
      )
      const loss =
        later && !later.reads.some(isShown)
          ? explainWalk(later, { id, isShown, since }, this.#context)
          : undefined
      if (loss) return loss
    }
    const older = showing.findLast((read) => read !== delivered && isCopied(read))
    if (kind === 'stale' && older && (older.id > delivered.id || overlaps(older, delivered))) {
      const text = `request ${delivered.id} has delivered the newer version, but the older one of request ${older.id} has overwritten it`
      return createFinding('older_overwrote_newer', [delivered, older], text)
    }
    return createFinding('delivered_not_stored', [delivered], `request ${delivered.id} has delivered it`)
  }

  #explainUndelivered(sought: SoughtVersion): Finding {
    for (const walk of this.#walks.toReversed()) {
      const loss = explainWalk(walk, sought, this.#context)
      if (loss) return loss
    }
    const { id, version, since } = sought
    return this.#explainCursor(id, version, since) ?? this.#explainUnread(id, since)
  }

  #explainCursor(id: number, version: Version, since: Sought['since']): Finding | undefined {
    const { lists } = this.#context
    const updatedDate = readUpdatedDate(version.shown)
    const passing = this.#walks.find(({ first }) => {
      if (first.cursor === undefined || first.state.index < since.index) return false
      const isPassed = !lists.find(first).has(id)
      return isPassed && lists.find(first, first.state, { withoutCursor: true }).has(id)
    })
    if (!passing || updatedDate === undefined) return undefined
    const { first } = passing
    const { at } = first.delivery.seen
    const ahead = toSortable(first.cursor ?? '') > toSortable(at) ? `, after the service's time (${at})` : ''
    const asked = `request ${first.id} asks for what has changed since ${first.cursor}${ahead}`
    const before = since.index > 0 ? this.#versions.find(id, { index: since.index - 1 }) : undefined
    if (readUpdatedDate(before?.shown) === updatedDate) {
      const text = `it changed without a new updatedDate (${updatedDate}), and ${asked}`
      return createFinding('silent_change', [first], text)
    }
    const earlier = this.#walks.flatMap(({ answered }) => answered).filter((read) => read.id < first.id)
    const late = earlier.findLast(
      ({ state }) => state.index < since.index && toSortable(state.at) > toSortable(updatedDate),
    )
    if (late) {
      const text = `it appeared after request ${late.id} with an updatedDate before that request (${updatedDate}), and ${asked}`
      return createFinding('late_visible', [late, first], text)
    }
    const greatest = findGreatest(earlier)
    if (greatest && greatest.updatedDate === updatedDate) {
      const text = `it changed at ${updatedDate}, as the newest record that request ${greatest.read.id} has shown, and ${asked}`
      return createFinding('tie_at_cursor', [greatest.read, first], text)
    }
    const text = `it changed at ${updatedDate}, no earlier response has shown that, and ${asked}`
    const previous = earlier.filter(({ state }) => state.index < since.index).slice(-1)
    return createFinding('cursor_past_change', [...previous, first], text)
  }

  #explainUnread(id: number, since: Sought['since']): Finding {
    const customerId = findCustomerId(this.#table, this.#start.data.get(this.#table, id))
    const { lists } = this.#context
    const list = this.#walks.findLast(({ first }) =>
      lists.find(first, this.#start, { withoutCursor: true }).has(id),
    )
    if (customerId === undefined) return explainNever('no request asks for it', list)
    const lost = this.#explainCustomer(customerId)
    const customer = nameRecord('customers', customerId)
    if (!list) {
      return lost
        ? { ...lost, text: `${customer} is missing, because ${lost.text}` }
        : explainNever(`no request asks for the ${this.#table} of ${customer}`, undefined)
    }
    if (!this.#hasCustomerChanged(customerId, since)) {
      const text = `it changed after request ${list.last.id}, but ${customer} did not, and its ${this.#table} were not read again`
      return createFinding('child_only_change', [list.last], text)
    }
    if (lost) return { ...lost, text: `the change of ${customer} was not seen, because ${lost.text}` }
    return explainNever(
      `${customer} has changed since request ${list.last.id}, but no request has asked for its ${this.#table} again`,
      list,
    )
  }

  #hasCustomerChanged(id: number, since: Sought['since']): boolean {
    const before = this.#context.history.states[since.index - 1]
    const [old, present] = [before?.data.get('customers', id), this.#start.data.get('customers', id)]
    return old?.updatedDate !== present?.updatedDate
  }
}

const explainNever = (text: string, list: Pages | undefined): Finding =>
  createFinding('never_requested', list ? [list.last] : [], text)

const nameRequests = ({ first, last }: Pages): string =>
  first === last ? `request ${first.id}` : `requests ${first.id} to ${last.id}`

const overlaps = ({ delivery: one }: Read, { delivery: other }: Read): boolean =>
  one.startedMs < other.endedMs && other.startedMs < one.endedMs

interface NewestRecord {
  readonly updatedDate: string
  readonly read: Read
}

export function findGreatest(reads: readonly Read[]): NewestRecord | undefined {
  let greatest: NewestRecord | undefined
  for (const read of reads) {
    for (const shown of read.rows?.values() ?? []) {
      const updatedDate = readUpdatedDate(shown)
      if (updatedDate !== undefined && updatedDate >= (greatest?.updatedDate ?? '')) {
        greatest = { updatedDate, read }
      }
    }
  }
  return greatest
}
