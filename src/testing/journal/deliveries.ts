import { getOrCreate } from '../../core/maps.ts'
import type { ResponseBody } from '../../core/response.ts'
import type { AnswerCounts } from './coverage.ts'
import type { RecordedRequest } from './recorded-request.ts'

/** An answered request, as far as the sync of a client is judged by it. */
export type Delivery = RecordedRequest & {
  readonly [K in 'endpoint' | 'caller' | 'moment']: NonNullable<RecordedRequest[K]>
}

const isDelivery = (entry: RecordedRequest): entry is Delivery =>
  entry.endpoint !== undefined &&
  entry.caller !== undefined &&
  entry.moment !== undefined &&
  entry.method !== 'HEAD'

/** The most that the deliveries of a session may take. Units: bytes, estimated. */
const MAX_BYTES = 8 * 1_048_576

/** The memory of an entry without its texts and its body. Units: bytes. */
const FRAME = 1_000

/**
 * The answered requests of a session since its reset, whether or not the journal still has them: all are counted, and the
 * latest kept in bounded memory. A request costs nothing more until somebody judges the sync. Order: as they were answered.
 */
export class Deliveries {
  readonly counts: AnswerCounts = new Map()
  #entries: Delivery[] = []
  readonly #bodies = new Map<ResponseBody, number>()
  /** Units: bytes, estimated. */
  bytes = 0
  /** The id from which on all requests are known; 1 as long as none was dropped to free memory. */
  firstKnown = 1

  add(entry: RecordedRequest): void {
    const { endpoint, status, responseBody: body } = entry
    if (!endpoint) return
    const counts = getOrCreate(this.counts, endpoint.id, () => new Map())
    counts.set(status, (counts.get(status) ?? 0) + 1)
    if (!isDelivery(entry)) return
    const isWhole = status === 200 || status === 201
    entry.judgedBody = isWhole && !entry.isFaultResponse ? body : undefined
    this.#entries.push(entry)
    this.bytes += FRAME + entry.url.length
    if (entry.judgedBody) {
      const count = this.#bodies.get(entry.judgedBody) ?? 0
      this.#bodies.set(entry.judgedBody, count + 1)
      if (count === 0) this.bytes += entry.judgedBody.memory
    }
    // Many at once, since each time moves all that are kept.
    if (this.bytes > MAX_BYTES) this.shrink(MAX_BYTES * 0.9)
  }

  #release(body: ResponseBody): void {
    const count = (this.#bodies.get(body) ?? 1) - 1
    this.#bodies.set(body, count)
    if (count > 0) return
    this.#bodies.delete(body)
    this.bytes -= body.memory
  }

  shrink(bytes: number): void {
    let count = 0
    for (const entry of this.#entries) {
      if (this.bytes <= bytes) break
      count += 1
      this.bytes -= FRAME + entry.url.length
      if (entry.judgedBody) this.#release(entry.judgedBody)
      entry.judgedBody = undefined
      this.firstKnown = Math.max(this.firstKnown, entry.id + 1)
    }
    this.#entries.splice(0, count)
  }

  /** Lists the deliveries. Order: by the ids of their requests. */
  list(): Delivery[] {
    return this.#entries.toSorted((a, b) => a.id - b.id)
  }

  clear(): void {
    this.counts.clear()
    this.#entries = []
    this.#bodies.clear()
    this.bytes = 0
    this.firstKnown = 1
  }
}
