import type { Settings } from '../../contract/choices.ts'
import { defaultSettings } from '../../contract/settings.ts'
import type { AnswerBody } from '../../http/answer-body.ts'
import type { PageShown } from '../../http/respond.ts'
import { type Contract, contractUnder } from '../../resources/contract.ts'
import type { Endpoint } from '../../resources/endpoint.ts'
import type { Row } from '../../store/tables.ts'
import { type Warning, type WarningCode, warningHeader } from './warnings.ts'

/** How a request ended without a whole answer: by a fault's malfunction, or because the client gave up. */
export const breakages = ['reset', 'empty', 'hang', 'truncate', 'aborted'] as const
export type Breakage = (typeof breakages)[number]

/** A status, how the answer broke off, or that there is none yet. */
export type Outcome = number | Breakage | 'pending'

/** The part of an answer that is kept as long as its entry; the body is kept by itself, because it may be dropped. */
export interface Answered {
  readonly headers: Headers | Readonly<Record<string, string>>
  /** Undefined where it shows no page. */
  readonly page?: PageShown | undefined
}

/** What is kept of a request when it comes. */
export interface Arrival {
  readonly method: string
  readonly url: string
  /** Names and values in turn where a list. */
  readonly headers: Headers | readonly string[]
  /** The value of `Authorization`. */
  readonly credential: string | undefined
}

/** What is known of a request once it is answered, or broken off. */
export interface Completion {
  readonly caller: Row<'members'> | undefined
  readonly status: number | Breakage
  readonly answer: Answered | undefined
  /** Undefined where nothing was read. */
  readonly requestBody: Uint8Array | undefined
  readonly responseBody: AnswerBody | undefined
}

/** Units: bytes; what an entry takes besides its texts. */
const FRAME = 2_000

const ADDRESS = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)([^?#]*)(?:\?([^#]*))?/i
const SESSION = /^\/_sandbox\/sessions\/[^/]+(?=\/v1(?:\/|$))/

const noWarnings: readonly Warning[] = []

/** A request in the journal: references to what passed by; rendered only when it is read. */
export class Entry {
  readonly id: number
  /** The session's time at which it came. */
  readonly time: string
  readonly method: string
  readonly url: string
  /** Undefined for a path that no endpoint has. */
  readonly endpoint: Endpoint | undefined
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly credential: string
  /** The settings that its answer was made under. */
  readonly settings: Settings
  /** Units: milliseconds on the stopwatch. */
  readonly startedMs: number
  readonly #frame: number
  #completion: Completion | undefined
  #durationMs: number | undefined
  #breakage: Breakage | undefined
  #warnings = noWarnings
  #hasBodies = true
  #faultId: string | undefined
  #isFaultAnswer = false

  constructor(
    id: number,
    time: string,
    arrival: Arrival,
    endpoint: Endpoint | undefined,
    startedMs: number,
    settings = defaultSettings,
  ) {
    this.id = id
    this.time = time
    this.method = arrival.method
    this.url = arrival.url
    this.endpoint = endpoint
    this.startedMs = startedMs
    this.settings = settings
    this.credential = arrival.credential ?? ''
    this.headers = isHeaders(arrival.headers) ? flat(arrival.headers) : arrival.headers
    let length = this.url.length
    for (const text of this.headers) length += text.length
    this.#frame = FRAME + length
  }

  /** Takes over what is known once the request is answered. */
  complete(completion: Completion, durationMs: number): void {
    this.#completion = completion
    this.#durationMs = durationMs
  }

  /** Says which fault answers it, and what the fault does: one that breaks the answer off stands in place of a status. */
  faulted(id: string, step?: string | number): void {
    this.#faultId = id
    this.#breakage = breakages.find((how) => how === step)
    this.#isFaultAnswer = step !== undefined && step !== 'proceed'
  }

  /** Adds a warning about this request alone; it belongs into the header of its answer. */
  warn(code: WarningCode, message: string): void {
    this.add({ code, message, requestIds: [this.id] })
  }

  /** Adds a warning that this request is part of. */
  add(warning: Warning): void {
    this.#warnings = [...this.#warnings, warning]
  }

  /** Takes a warning back. */
  remove(warning: Warning): void {
    this.#warnings = this.#warnings.filter((one) => one !== warning)
  }

  /** The header that tells of the warnings so far; none where there are none. */
  get warningHeaders(): Readonly<Record<string, string>> {
    return this.#warnings.length === 0 ? {} : { 'sandbox-warning': warningHeader(this.#warnings) }
  }

  /** Equal for requests that ask for the same on behalf of the same caller. */
  get identity(): string {
    return `${this.credential} ${this.method} ${this.url}`
  }

  get warnings(): readonly Warning[] {
    return this.#warnings
  }

  /** The fault that answered it, or broke it off. */
  get faultId(): string | undefined {
    return this.#faultId
  }

  /** Whether the answer is a fault's, or broken by one; a delay or further headers leave it the service's. */
  get isFaultAnswer(): boolean {
    return this.#isFaultAnswer
  }

  get isComplete(): boolean {
    return this.#completion !== undefined
  }

  get status(): Outcome {
    return this.#breakage ?? this.#completion?.status ?? 'pending'
  }

  /** Undefined until it is answered. */
  get durationMs(): number | undefined {
    return this.#durationMs
  }

  /** Undefined where no member has the request's token. */
  get caller(): Row<'members'> | undefined {
    return this.#completion?.caller
  }

  get answer(): Answered | undefined {
    return this.#completion?.answer
  }

  /** The contract that its answer was made under; looked up, because an entry would keep it alive. */
  get contract(): Contract {
    return contractUnder(this.settings)
  }

  /** Where it was sent: scheme, host and port, and from there on what was asked for, without a session's base. */
  get address(): { readonly origin: string; readonly target: string } {
    const [, origin = '', path = '', search] = ADDRESS.exec(this.url) ?? []
    const from = path.replace(SESSION, '')
    return { origin, target: search === undefined ? from : `${from}?${search}` }
  }

  /** The path as it was asked for, without a session's base. */
  get path(): string {
    return /^[^?]*/.exec(this.address.target)?.[0] ?? ''
  }

  /** The query as it was asked for, without the question mark. */
  get search(): string {
    return this.address.target.slice(this.path.length + 1)
  }

  get requestBody(): Uint8Array | undefined {
    return this.#completion?.requestBody
  }

  get responseBody(): AnswerBody | undefined {
    return this.#completion?.responseBody
  }

  /** False once the bodies made room for younger ones. */
  get hasBodies(): boolean {
    return this.#hasBodies
  }

  /** Lets go of the bodies. */
  dropBodies(): void {
    this.#hasBodies = false
    if (!this.#completion) return
    this.#completion = { ...this.#completion, requestBody: undefined, responseBody: undefined }
  }

  /** The memory that the entry takes. Units: bytes, estimated from above. */
  get bytes(): number {
    const { requestBody, responseBody } = this.#completion ?? {}
    return this.#frame + (requestBody?.byteLength ?? 0) + (responseBody?.memory ?? 0)
  }
}

/** Says whether it is a `Headers`, of whatever realm. */
export function isHeaders(value: object): value is Headers {
  return 'get' in value && typeof value.get === 'function'
}

function flat(headers: Headers): string[] {
  const found: string[] = []
  for (const [name, value] of headers) found.push(name, value)
  return found
}

/** The value of an answer's header, by its name in lower case. */
export function answerHeader(entry: Entry, name: string): string | undefined {
  const headers = entry.answer?.headers
  if (!headers) return undefined
  if (isHeaders(headers)) return headers.get(name) ?? undefined
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
}
