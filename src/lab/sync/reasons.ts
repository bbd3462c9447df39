import { toSortable } from '../../contract/instants.ts'
import { nameRecord } from '../../store/tables.ts'
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

export interface Reasons {
  explain(wrong: Wrong): Finding
  explainLoss(id: number): Finding | undefined
  /** Reports whether a client can know that a record is gone: a full walk does not show it any more, or a request for it was answered with 404. */
  isKnownGone(id: number): boolean
}

export function createReasons(
  context: Context,
  versions: Versions,
  run: Run | undefined,
  explainCustomer: (id: number) => Finding | undefined,
): Reasons {
  const { lists, history } = context
  const { table } = versions
  const walks = context.walks.filter((walk) => walk.table === table)
  const start = run?.first.state ?? history.now

  const explain = (wrong: Wrong): Finding => {
    const version = versions.find(wrong.id, start)
    if (wrong.kind === 'ghosts' || !version) return explainGhost(wrong)
    const sought = seek(wrong, version)
    return explainDelivered(wrong, sought) ?? explainUndelivered(sought)
  }

  const seek = ({ kind, id }: Wrong, version: Version): SoughtVersion => {
    const isMissed = kind === 'missed'
    return {
      id,
      version,
      since: isMissed ? versions.findAppearance(id, start) : versions.findBegin(id, start),
      isShown: (read) => (isMissed ? read.rows?.has(id) === true : showsVersion(id, read)),
      isDelivered: (read) =>
        isMissed ||
        isVersion(read.rows?.get(id) ?? {}, version) ||
        (read.isRewritten && showsVersion(id, read)),
    }
  }

  const explainLoss = (id: number): Finding | undefined => {
    const version = versions.find(id, start)
    if (!version) return undefined
    const kind = context.findShowing(table, id).length === 0 ? 'missed' : 'stale'
    const wrong = { kind, id, isCopied: () => false } as const
    const sought = seek(wrong, version)
    return explainDelivered(wrong, sought) ? undefined : explainUndelivered(sought)
  }

  const isKnownGone = (id: number): boolean => {
    const last = findLastState(id)
    if (!last) return false
    const isRefused = (read: Read): boolean =>
      read.table === table &&
      read.range === undefined &&
      read.delivery.status === 404 &&
      read.state.index > last.index &&
      Object.values(Object(read.address?.path)).at(-1) === id
    return findFullWalk(id, last) !== undefined || context.reads.some(isRefused)
  }

  const findLastState = (id: number): State | undefined =>
    history.states.findLast((state) => versions.find(id, state) !== undefined)

  const showsVersion = (id: number, read: Read): boolean => {
    const shown = read.rows?.get(id)
    const version = versions.find(id, read.state)
    return shown !== undefined && version !== undefined && (read.isRewritten || isVersion(shown, version))
  }

  const explainGhost = ({ id }: Wrong): Finding => {
    const showing = context.findShowing(table, id)
    const last = findLastState(id)
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
    const full = findFullWalk(id, last)
    const fact = full
      ? `the full walk of ${nameRequests(full)} does not show it any more`
      : 'no full walk has followed, and nothing else announces it'
    const reads = full?.reads ?? showing.slice(-1)
    return createFinding('deleted_unseen', reads, `it was deleted ${after}, and ${fact}`)
  }

  const findFullWalk = (id: number, lastState: State): Pages | undefined =>
    walks.findLast(
      ({ isFull, isComplete, first, answered }) =>
        isFull &&
        isComplete &&
        answered.every((read) => read.state.index > lastState.index && !read.rows?.has(id)) &&
        lists.find(first, lastState).has(id),
    )

  const explainDelivered = (
    { id, kind, isCopied }: Wrong,
    { since, isShown, isDelivered }: SoughtVersion,
  ): Finding | undefined => {
    const showing = context.findShowing(table, id)
    const delivered = showing.findLast((read) => read.state.index >= since.index && isDelivered(read))
    if (!delivered) return undefined
    if (kind === 'missed') {
      const later = walks.findLast(
        ({ isFull, first, reads }) =>
          isFull && first.id > delivered.id && reads.some((read) => lists.find(read).has(id)),
      )
      const loss =
        later && !later.reads.some(isShown) ? explainWalk(later, { id, isShown, since }, context) : undefined
      if (loss) return loss
    }
    const older = showing.findLast((read) => read !== delivered && isCopied(read))
    if (kind === 'stale' && older && (older.id > delivered.id || overlaps(older, delivered))) {
      const text = `request ${delivered.id} has delivered the newer version, but the older one of request ${older.id} has overwritten it`
      return createFinding('older_overwrote_newer', [delivered, older], text)
    }
    return createFinding('delivered_not_stored', [delivered], `request ${delivered.id} has delivered it`)
  }

  const explainUndelivered = (sought: SoughtVersion): Finding => {
    for (const walk of walks.toReversed()) {
      const loss = explainWalk(walk, sought, context)
      if (loss) return loss
    }
    const { id, version, since } = sought
    return explainCursor(id, version, since) ?? explainUnread(id, since)
  }

  const explainCursor = (id: number, version: Version, since: Sought['since']): Finding | undefined => {
    const updatedDate = readUpdatedDate(version.shown)
    const passing = walks.find(({ first }) => {
      if (first.cursor === undefined || first.state.index < since.index) return false
      const isPassed = !lists.find(first).has(id)
      return isPassed && lists.find(first, first.state, { withoutCursor: true }).has(id)
    })
    if (!passing || updatedDate === undefined) return undefined
    const { first } = passing
    const { at } = first.delivery.seen
    const ahead = toSortable(first.cursor ?? '') > toSortable(at) ? `, after the service's time (${at})` : ''
    const asked = `request ${first.id} asks for what has changed since ${first.cursor}${ahead}`
    const before = since.index > 0 ? versions.find(id, { index: since.index - 1 }) : undefined
    if (readUpdatedDate(before?.shown) === updatedDate) {
      const text = `it changed without a new updatedDate (${updatedDate}), and ${asked}`
      return createFinding('silent_change', [first], text)
    }
    const earlier = walks.flatMap(({ answered }) => answered).filter((read) => read.id < first.id)
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

  const explainUnread = (id: number, since: Sought['since']): Finding => {
    const customerId = findCustomerId(table, start.data.get(table, id))
    const list = walks.findLast(({ first }) => lists.find(first, start, { withoutCursor: true }).has(id))
    if (customerId === undefined) return explainNever('no request asks for it', list)
    const lost = explainCustomer(customerId)
    const customer = nameRecord('customers', customerId)
    if (!list) {
      return lost
        ? { ...lost, text: `${customer} is missing, because ${lost.text}` }
        : explainNever(`no request asks for the ${table} of ${customer}`, undefined)
    }
    if (!hasCustomerChanged(customerId, since)) {
      const text = `it changed after request ${list.last.id}, but ${customer} did not, and its ${table} were not read again`
      return createFinding('child_only_change', [list.last], text)
    }
    if (lost) return { ...lost, text: `the change of ${customer} was not seen, because ${lost.text}` }
    return explainNever(
      `${customer} has changed since request ${list.last.id}, but no request has asked for its ${table} again`,
      list,
    )
  }

  const hasCustomerChanged = (id: number, since: Sought['since']): boolean => {
    const before = history.states[since.index - 1]
    const [old, present] = [before?.data.get('customers', id), start.data.get('customers', id)]
    return old?.updatedDate !== present?.updatedDate
  }

  return { explain, explainLoss, isKnownGone }
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
