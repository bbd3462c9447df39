import type { Settings } from '../../contract/choices.ts'
import type { Head, ResponseBody } from '../../core/response.ts'
import { stopwatch } from '../../core/system-clock.ts'
import { type Contract, getContract } from '../../service/contract.ts'
import type { Endpoint } from '../../service/endpoint.ts'
import type { Moment } from '../../store/history.ts'
import type { Row } from '../../store/tables.ts'
import { disconnects } from '../faults/effects.ts'
import type { Warning } from './warnings.ts'

/** Ways in which a request ends without a complete response: by a fault, or because the client gives up. */
export const interruptions = [...disconnects, 'aborted'] as const
export type Interruption = (typeof interruptions)[number]

/** A status, the way in which the response was interrupted, or `pending`. */
export type Outcome = number | Interruption | 'pending'

export interface ScenarioAct {
  readonly id: string
  readonly name: string
  /** As in `deleted customer 3`. */
  readonly did: string
  /** The revision of the session's data after it; higher than that of the request if it followed the response. */
  readonly revision: number
}

export interface Arrival {
  readonly method: string
  readonly url: string
  /** Alternating names and values. */
  readonly headers: readonly string[]
}

export interface Completion {
  readonly caller: Row<'members'> | undefined
  readonly status: number | Interruption
  readonly response: Pick<Head, 'headers' | 'page'> | undefined
  readonly requestBody: Uint8Array | undefined
  readonly responseBody: ResponseBody | undefined
}

const none: readonly never[] = []

/** The memory of an entry besides its texts. Units: bytes. */
const FRAME = 2_000

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i
const SESSION_BASE = /^\/_sandbox\/sessions\/[^/?]+(?=\/v1(?:[/?]|$))/

/** Returns path and query of a URL, without the base of a session. */
export function toTarget(url: string): string {
  const [target = ''] = url.split('#', 1)
  return target.replace(ORIGIN, '').replace(SESSION_BASE, '')
}

/** Reads the header `Authorization`. Several count as one with commas, as for `fetch`. */
const readCredential = (headers: readonly string[]): string =>
  headers.filter((_, at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === 'authorization').join(', ')

/** A request in the journal. It keeps references to request and response, and is rendered only when it is read. */
export class RecordedRequest {
  readonly id: number
  /** The state of the session when the request arrived, before a scenario changes it. */
  readonly arrived: Moment
  readonly method: string
  readonly url: string
  readonly endpoint: Endpoint | undefined
  readonly headers: readonly string[]
  readonly credential: string
  readonly settings: Settings
  /** The number of resets of its journal before it. */
  readonly resets: number
  /** Units: milliseconds on the stopwatch. */
  readonly startedMs = stopwatch()
  status: Outcome = 'pending'
  /** The state of the session when the service handled the request, or when it arrived; undefined if that is unknown. */
  moment: Moment | undefined
  durationMs: number | undefined
  /** Undefined until the request is answered, and if no member has its token. */
  caller: Completion['caller']
  response: Completion['response']
  requestBody: Completion['requestBody']
  responseBody: Completion['responseBody']
  /** The body by which a sync is judged, which shares the bytes of unchanged records; undefined if a fault has broken the response. */
  judgedBody: ResponseBody | undefined
  hasBodies = true
  faultId: string | undefined
  /** True if a fault replaced or broke the response; false if it only delayed it or added headers. */
  isFaultResponse = false
  scenarios: readonly ScenarioAct[] = none
  /** Those that follow from this request alone, which its response announces. */
  warnings: readonly Warning[] = none
  /** The memory of the entry, estimated from above. Units: bytes. */
  bytes: number
  readonly #frame: number

  constructor(
    id: number,
    { moment, settings }: { readonly moment: Moment; readonly settings: Settings },
    { method, url, headers }: Arrival,
    endpoint: Endpoint | undefined,
    resets: number,
    before: RecordedRequest | undefined,
  ) {
    this.id = id
    this.arrived = moment
    this.method = method
    this.url = url
    this.endpoint = endpoint
    this.settings = settings
    this.resets = resets
    let [length, isRepeated] = [this.url.length, before?.headers.length === headers.length]
    for (let at = 0; at < headers.length; at += 1) {
      length += headers[at]?.length ?? 0
      isRepeated &&= headers[at] === before?.headers[at]
    }
    // Shared with the request before if they are equal, as they are on a connection that a client keeps.
    const like = isRepeated ? before : undefined
    this.headers = like?.headers ?? headers
    this.credential = like?.credential ?? readCredential(headers)
    this.#frame = FRAME + length
    this.bytes = this.#frame
  }

  get time(): string {
    return this.arrived.at
  }

  get isComplete(): boolean {
    return this.durationMs !== undefined
  }

  /** Units: milliseconds on the stopwatch. */
  get endedMs(): number {
    return this.startedMs + (this.durationMs ?? 0)
  }

  complete(completion: Completion, durationMs: number): void {
    this.caller = completion.caller
    this.response = completion.response
    this.requestBody = completion.requestBody
    this.responseBody = completion.responseBody
    this.bytes += (this.requestBody?.byteLength ?? 0) + (this.responseBody?.memory ?? 0)
    if (this.status === 'pending') this.status = completion.status
    this.durationMs = durationMs
  }

  markFaulted(id: string, step?: string | number): void {
    this.faultId = id
    this.status = interruptions.find((interruption) => interruption === step) ?? 'pending'
    this.isFaultResponse = step !== undefined && step !== 'proceed' && step !== 'gate'
  }

  addScenario(act: ScenarioAct): void {
    this.scenarios = [...this.scenarios, act]
  }

  get identity(): string {
    return `${this.credential} ${this.method} ${this.url}`
  }

  /** The contract of the response; looked up, because a reference would keep it alive. */
  get contract(): Contract {
    return getContract(this.settings)
  }

  get target(): string {
    return toTarget(this.url)
  }

  get path(): string {
    const [path = ''] = this.target.split('?', 1)
    return path
  }

  get search(): string {
    return this.target.slice(this.path.length + 1)
  }

  dropBodies(): void {
    this.hasBodies = false
    this.requestBody = undefined
    this.responseBody = undefined
    this.bytes = this.#frame
  }
}
