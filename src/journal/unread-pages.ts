import { MAX_REMEMBERED, RecentMap } from '../core/maps.ts'
import type { Entry } from './entry.ts'
import { createWarning, type Warning } from './warnings.ts'

interface Page {
  /** Equal for the pages of one list. */
  readonly list: string
  readonly offset: number
  readonly end: number
  readonly total: number
}

interface Reading {
  readonly entry: Entry
  readonly list: string
  /** The number of matches that were fetched without a gap from the first on. */
  seen: number
  /** Later pages whose responses came before those in between. */
  ahead: Pick<Page, 'offset' | 'end'>[]
  total: number
  warning: Warning | undefined
}

/** Detects lists that are read only in part: `totalCount` reports more matches than the client fetches. */
export class UnreadPages {
  readonly #readings = new RecentMap<Reading>()
  /** The lists that the client may still be reading. */
  #current: Reading[] = []

  /** Adds a warning once the client requests something else, and removes it if the client reads on. */
  onResponse(entry: Entry): Entry[] {
    const page = readPage(entry)
    const changed = this.#leave(entry, page?.list)
    if (!page) return changed
    const { list, offset, end, total } = page
    const reading = this.#readings.get(list)
    if (reading) return [...changed, ...this.#readOn(reading, page)]
    if (offset > 0 || end >= total) return changed
    const started: Reading = { entry, list, seen: end, ahead: [], total, warning: undefined }
    this.#readings.set(list, started)
    this.#current = [...this.#current, started].slice(-MAX_REMEMBERED)
    return changed
  }

  warnings(): Warning[] {
    return Array.from(this.#readings.values(), (reading) => reading.warning ?? createUnreadWarning(reading))
  }

  #leave({ credential }: Entry, list: string | undefined): Entry[] {
    if (this.#current.length === 0) return []
    const left = this.#current.filter(
      (reading) => reading.entry.credential === credential && reading.list !== list,
    )
    if (left.length > 0) this.#current = this.#current.filter((reading) => !left.includes(reading))
    return left.map((reading) => {
      reading.warning = createUnreadWarning(reading)
      reading.entry.addWarning(reading.warning)
      return reading.entry
    })
  }

  #readOn(reading: Reading, page: Page): Entry[] {
    const { seen, total } = reading
    addPage(reading, page)
    if (reading.seen === seen && reading.total === total) return []
    const isComplete = reading.seen >= reading.total
    if (isComplete) {
      this.#readings.delete(reading.list)
      this.#current = this.#current.filter((one) => one !== reading)
    }
    const { warning, entry } = reading
    if (!warning) return []
    entry.removeWarning(warning)
    reading.warning = isComplete ? undefined : createUnreadWarning(reading)
    if (reading.warning) entry.addWarning(reading.warning)
    return [entry]
  }
}

/** Adds a page to a reading, whatever the order of the responses. */
function addPage(reading: Reading, page: Page): void {
  reading.total = page.total
  reading.ahead = [...reading.ahead, page].slice(-MAX_REMEMBERED).toSorted((a, b) => a.offset - b.offset)
  for (const { offset, end } of reading.ahead) {
    if (offset <= reading.seen) reading.seen = Math.max(reading.seen, end)
  }
  reading.ahead = reading.ahead.filter(({ end }) => end > reading.seen)
}

function createUnreadWarning({ entry, seen, total }: Reading): Warning {
  const fact = `${entry.endpoint?.id} has ${total} matches (totalCount), but only the first ${seen} were fetched`
  return createWarning('unread_pages', () => `${fact}; fetch the rest with offset=${seen}`, [entry.id])
}

function readPage(entry: Entry): Page | undefined {
  const page = entry.response?.page
  if (!page || entry.method !== 'GET' || entry.status !== 200) return undefined
  const { list, offset, limit, total } = page
  return { list: `${entry.credential} ${list}`, offset, end: offset + limit, total }
}
