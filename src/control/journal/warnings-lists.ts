import type { Endpoint } from '../../resources/endpoint.ts'
import type { Entry } from './entry.ts'
import { Recent } from './warnings-recent.ts'
import { BURST_MS, REMEMBERED } from './warnings-repeats.ts'
import { GrowingWarning, type Warning } from './warnings.ts'

/** Reads of single records after a list of them are told of from this one on. */
const SINGLE_READS = 5

interface Burst {
  readonly list: Entry
  readonly urls: Set<string>
  readonly ids: number[]
  lastMs: number
  warning?: GrowingWarning
}

/** Finds many reads of single records right after a list that already held them with every field. */
export class SingleReads {
  readonly #bursts = new Recent<Burst>(REMEMBERED)

  opened(entry: Entry): void {
    const { endpoint } = entry
    if (entry.method !== 'GET' || endpoint?.returns !== 'one' || !endpoint.path.endsWith('}')) return
    const key = keyOf(entry, endpoint)
    const burst = this.#bursts.get(key)
    if (!burst || burst.list.endpoint?.resource !== endpoint.resource) return
    if (entry.startedMs - burst.lastMs > BURST_MS) return this.#bursts.delete(key)
    burst.lastMs = entry.startedMs
    if (burst.urls.has(entry.url)) return
    if (burst.urls.size < REMEMBERED) burst.urls.add(entry.url)
    if (burst.ids.length < SINGLE_READS) burst.ids.push(entry.id)
    if (burst.ids.length < SINGLE_READS) return
    this.#warn(entry, burst)
  }

  completed(entry: Entry, nowMs: number): void {
    const { endpoint } = entry
    if (entry.method !== 'GET' || entry.status !== 200 || !endpoint) return
    const key = keyOf(entry, endpoint)
    if (endpoint.returns !== 'one') {
      this.#bursts.set(key, { list: entry, urls: new Set(), ids: [], lastMs: nowMs })
      return
    }
    const burst = this.#bursts.get(key)
    if (burst) burst.lastMs = nowMs
  }

  #warn(entry: Entry, burst: Burst): void {
    const text = `${entry.endpoint?.id} was called for ${burst.urls.size} records right after ${burst.list.endpoint?.id}, whose answer holds the same fields`
    if (burst.warning) burst.warning.grow(text, entry.id)
    else burst.warning = new GrowingWarning('single_reads', text, [burst.list.id, ...burst.ids])
    entry.add(burst.warning)
  }
}

const keyOf = ({ credential }: Entry, { resource }: Endpoint): string => `${credential} ${resource.table}`

interface Reading {
  readonly entry: Entry
  readonly list: string
  /** How many of the matches were fetched, from the first on. */
  seen: number
  /** Pages beyond, which were answered before those between. */
  ahead: Pick<Page, 'offset' | 'end'>[]
  total: number
  warning: Warning | undefined
}

/** Finds lists that were read in part: `totalCount` says that there is more, and nobody fetched it. */
export class UnreadPages {
  readonly #readings = new Recent<Reading>(REMEMBERED)
  /** Those whose reader may still go on with the next page. */
  #open: Reading[] = []

  /** Gives the entries whose warnings have changed: told of once the client turned to something else, taken back once it read on. */
  completed(entry: Entry): Entry[] {
    const asked = pageOf(entry)
    const changed = this.#turnedFrom(entry, asked?.list)
    if (!asked) return changed
    const reading = this.#readings.get(asked.list)
    if (reading) return [...changed, ...this.#readOn(reading, asked)]
    if (asked.offset > 0 || asked.end >= asked.total) return changed
    const { list, end, total } = asked
    const fresh: Reading = { entry, list, seen: end, ahead: [], total, warning: undefined }
    this.#readings.set(list, fresh)
    this.#open = [...this.#open, fresh].slice(-REMEMBERED)
    return changed
  }

  /** Every list of which something is unread now. */
  warnings(): Warning[] {
    return this.#readings.values().map((reading) => reading.warning ?? warningOf(reading))
  }

  #turnedFrom({ credential }: Entry, list: string | undefined): Entry[] {
    if (this.#open.length === 0) return []
    const left = this.#open.filter(
      (reading) => reading.entry.credential === credential && reading.list !== list,
    )
    if (left.length === 0) return []
    this.#open = this.#open.filter((reading) => !left.includes(reading))
    return left.map((reading) => {
      reading.warning = warningOf(reading)
      reading.entry.add(reading.warning)
      return reading.entry
    })
  }

  #readOn(reading: Reading, asked: Page): Entry[] {
    see(reading, asked)
    const isRead = reading.seen >= reading.total
    if (isRead) {
      this.#readings.delete(reading.list)
      this.#open = this.#open.filter((one) => one !== reading)
    }
    const { warning, entry } = reading
    if (!warning) return []
    entry.remove(warning)
    reading.warning = isRead ? undefined : warningOf(reading)
    if (reading.warning) entry.add(reading.warning)
    return [entry]
  }
}

/** Takes a page into account, in whatever order the pages are answered. */
function see(reading: Reading, page: Page): void {
  reading.total = page.total
  reading.ahead = [...reading.ahead, page].slice(-REMEMBERED).toSorted((a, b) => a.offset - b.offset)
  for (const { offset, end } of reading.ahead) {
    if (offset <= reading.seen) reading.seen = Math.max(reading.seen, end)
  }
  reading.ahead = reading.ahead.filter(({ end }) => end > reading.seen)
}

function warningOf({ entry, seen, total }: Reading): Warning {
  const message = `${entry.endpoint?.id} has ${total} matches (totalCount), but only the first ${seen} were fetched; ask for the rest with offset=${seen}`
  return { code: 'unread_pages', message, requestIds: [entry.id] }
}

interface Page {
  /** Equal for the pages of one list. */
  readonly list: string
  readonly offset: number
  /** Where the next page would start. */
  readonly end: number
  readonly total: number
}

/** The page that an entry shows; undefined where it shows none. */
function pageOf(entry: Entry): Page | undefined {
  const page = entry.answer?.page
  if (!page || entry.method !== 'GET' || entry.status !== 200) return undefined
  const { list, offset, limit, total } = page
  return { list: `${entry.credential} ${list}`, offset, end: offset + limit, total }
}
