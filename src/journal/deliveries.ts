import type { Settings } from '../contract/choices.ts'
import type { PageShown, ResponseBody } from '../core/response.ts'
import type { Endpoint } from '../resources/endpoint.ts'
import type { Entry, Moment, Outcome, ScenarioAct } from './entry.ts'

/** An answered request, as far as the sync of a client is judged by it. It outlives the request's entry. */
export interface Delivery {
  /** The id of the request. */
  readonly id: number
  readonly endpoint: Endpoint
  readonly url: string
  /** The id of the member who sent the request. */
  readonly callerId: number
  /** The state of the session that the response shows. */
  readonly seen: Moment
  readonly settings: Settings
  readonly status: Outcome
  /** Undefined if the response shows no page. */
  readonly page: PageShown | undefined
  /** The body, which shares the bytes of unchanged records; undefined if the service has not answered, or a fault has broken the response. */
  readonly body: ResponseBody | undefined
  readonly scenarios: readonly ScenarioAct[]
  readonly faultId: string | undefined
  /** Units: milliseconds on the stopwatch. */
  readonly startedMs: number
  readonly endedMs: number
}

/** The most that the deliveries of a session may take. Units: bytes, estimated. */
const MAX_BYTES = 8 * 1_048_576

/** The memory of a delivery without its texts and its body. Units: bytes. */
const FRAME = 400

/** The answered requests of a session since its reset, in bounded memory. Order: as they were answered. */
export class Deliveries {
  #kept: (Delivery | undefined)[] = []
  /** The first that is not dropped. */
  #first = 0
  /** How many deliveries share a body that is cached. */
  readonly #bodies = new Map<ResponseBody, number>()
  #bytes = 0
  #firstKnown = 1
  #added = 0

  /** Units: bytes, estimated. */
  get bytes(): number {
    return this.#bytes
  }

  /** How many deliveries were added since the sandbox started, which tells whether there are new ones. */
  get added(): number {
    return this.#added
  }

  /** The id from which on all requests are known; 1 as long as none was dropped to free memory. */
  get firstKnown(): number {
    return this.#firstKnown
  }

  /** Adds an answered request. */
  add(entry: Entry, responseBody: ResponseBody | undefined): void {
    const { id, endpoint, method, url, caller, seen, settings, status, response, isFaultResponse } = entry
    if (!endpoint || !caller || !seen || method === 'HEAD') return
    const isWhole = status === 200 || status === 201
    const body = isWhole && !isFaultResponse ? responseBody : undefined
    const delivery: Delivery = {
      id,
      endpoint,
      url,
      callerId: caller.id,
      seen,
      settings,
      status,
      page: body && response?.page,
      body,
      scenarios: entry.scenarios,
      faultId: isFaultResponse ? entry.faultId : undefined,
      startedMs: entry.startedMs,
      endedMs: entry.startedMs + (entry.durationMs ?? 0),
    }
    this.#kept.push(delivery)
    this.#added += 1
    this.#bytes += FRAME + url.length
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
      const delivery = this.#kept[this.#first]
      if (!delivery) break
      this.#bytes -= FRAME + delivery.url.length
      if (delivery.body) this.#release(delivery.body)
      this.#kept[this.#first] = undefined
      this.#first += 1
      this.#firstKnown = Math.max(this.#firstKnown, delivery.id + 1)
    }
    // The array is cut once half of it is empty, so that this costs little for each delivery.
    if (this.#first < this.#kept.length / 2) return
    this.#kept = this.#kept.slice(this.#first)
    this.#first = 0
  }

  /** Lists the deliveries. Order: by the ids of their requests. */
  list(): Delivery[] {
    return this.#kept.flatMap((delivery) => delivery ?? []).toSorted((a, b) => a.id - b.id)
  }

  /** Drops everything to free memory. */
  forget(): void {
    this.#shrink(0)
  }

  /** Drops everything, because the session starts anew. */
  clear(): void {
    this.#kept = []
    this.#first = 0
    this.#bodies.clear()
    this.#bytes = 0
    this.#firstKnown = 1
  }
}
