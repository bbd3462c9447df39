import type { PageShown, ResponseBody } from '../../core/response.ts'
import type { Endpoint } from '../../service/endpoint.ts'
import type { Moment } from '../../store/history.ts'
import type { Entry } from './entry.ts'

/** An answered request, as far as the sync of a client is judged by it. It outlives the request's entry. */
export interface Delivery extends Pick<
  Entry,
  'id' | 'url' | 'settings' | 'status' | 'scenarios' | 'faultId' | 'startedMs'
> {
  readonly endpoint: Endpoint
  readonly callerId: number
  readonly seen: Moment
  readonly page: PageShown | undefined
  /** The body, which shares the bytes of unchanged records; undefined if the service has not answered, or a fault has broken the response. */
  readonly body: ResponseBody | undefined
  /** Units: milliseconds on the stopwatch. */
  readonly endedMs: number
}

/** The most that the deliveries of a session may take. Units: bytes, estimated. */
const MAX_BYTES = 8 * 1_048_576

/** The memory of an entry without its texts and its body. Units: bytes. */
const FRAME = 1_000

/**
 * The answered requests of a session since its reset, in bounded memory. It keeps their entries, so that a request costs
 * nothing more until somebody judges the sync. Order: as they were answered.
 */
export class Deliveries {
  #entries: (Entry | undefined)[] = []
  #shown: (ResponseBody | undefined)[] = []
  #first = 0
  readonly #bodies = new Map<ResponseBody, number>()
  #bytes = 0
  #added = 0
  #firstKnown = 1

  /** Units: bytes, estimated. */
  get bytes(): number {
    return this.#bytes
  }

  /** The number of deliveries since the sandbox started, which tells whether there are new ones. */
  get added(): number {
    return this.#added
  }

  /** The id from which on all requests are known; 1 as long as none was dropped to free memory. */
  get firstKnown(): number {
    return this.#firstKnown
  }

  add(entry: Entry, responseBody: ResponseBody | undefined): void {
    const { endpoint, caller, seen, status } = entry
    if (!endpoint || !caller || !seen || entry.method === 'HEAD') return
    const isWhole = status === 200 || status === 201
    const body = isWhole && !entry.isFaultResponse ? responseBody : undefined
    this.#entries.push(entry)
    this.#shown.push(body)
    this.#added += 1
    this.#bytes += FRAME + entry.url.length
    if (body) this.#hold(body)
    if (this.#bytes > MAX_BYTES) this.#shrink(MAX_BYTES)
  }

  #hold(body: ResponseBody): void {
    const count = this.#bodies.get(body) ?? 0
    this.#bodies.set(body, count + 1)
    if (count === 0) this.#bytes += body.memory
  }

  #release(body: ResponseBody): void {
    const count = (this.#bodies.get(body) ?? 1) - 1
    if (count > 0) {
      this.#bodies.set(body, count)
      return
    }
    this.#bodies.delete(body)
    this.#bytes -= body.memory
  }

  #shrink(bytes: number): void {
    while (this.#bytes > bytes) {
      const entry = this.#entries[this.#first]
      const body = this.#shown[this.#first]
      if (!entry) break
      this.#bytes -= FRAME + entry.url.length
      if (body) this.#release(body)
      this.#entries[this.#first] = undefined
      this.#shown[this.#first] = undefined
      this.#first += 1
      this.#firstKnown = Math.max(this.#firstKnown, entry.id + 1)
    }
    // The arrays are cut once half of them is empty, so that this costs little for each request.
    if (this.#first < this.#entries.length / 2) return
    this.#entries = this.#entries.slice(this.#first)
    this.#shown = this.#shown.slice(this.#first)
    this.#first = 0
  }

  /** Lists the deliveries. Order: by the ids of their requests. */
  list(): Delivery[] {
    return this.#entries
      .flatMap((entry, at) => (entry ? toDelivery(entry, this.#shown[at]) : []))
      .toSorted((a, b) => a.id - b.id)
  }

  forget(): void {
    this.#shrink(0)
  }

  clear(): void {
    this.#entries = []
    this.#shown = []
    this.#first = 0
    this.#bodies.clear()
    this.#bytes = 0
    this.#firstKnown = 1
  }
}

function toDelivery(entry: Entry, body: ResponseBody | undefined): Delivery | [] {
  const { id, endpoint, url, caller, seen, settings, status, scenarios, startedMs } = entry
  if (!endpoint || !caller || !seen) return []
  return {
    id,
    endpoint,
    url,
    callerId: caller.id,
    seen,
    settings,
    status,
    page: body && entry.response?.page,
    body,
    scenarios,
    faultId: entry.isFaultResponse ? entry.faultId : undefined,
    startedMs,
    endedMs: startedMs + (entry.durationMs ?? 0),
  }
}
