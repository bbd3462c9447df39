import { nearest } from '../../contract/nearest.ts'

/** The name of what a careful reviewer would say of a client's requests; tests may branch on it. */
export type WarningCode =
  | 'unknown_parameter'
  | 'comma_in_value'
  | 'unread_pages'
  | 'repeated_page'
  | 'single_reads'
  | 'hasty_retry'

/** One thing that a client does and probably should not. */
export interface Warning {
  readonly code: WarningCode
  readonly message: string
  /** The requests that show it. Order: as they came; 20 at most. */
  readonly requestIds: readonly number[]
}

/** How many requests a warning names. */
const MAX_REQUEST_IDS = 20

/** A warning that grows with further requests of the same kind. */
export class GrowingWarning implements Warning {
  readonly code: WarningCode
  message: string
  readonly requestIds: number[]

  constructor(code: WarningCode, message: string, requestIds: readonly number[]) {
    this.code = code
    this.message = message
    this.requestIds = requestIds.slice(0, MAX_REQUEST_IDS)
  }

  /** Counts one more request in. */
  grow(message: string, requestId: number): void {
    this.message = message
    if (this.requestIds.length < MAX_REQUEST_IDS) this.requestIds.push(requestId)
  }
}

const LONE_SURROGATE = /\p{Surrogate}/gu
const NOT_PRINTABLE = /[^\x20-\x7e]/gu
const MAX_NAMES = 5
const MAX_NAME_LENGTH = 60
const MAX_MESSAGE_LENGTH = 500
const MAX_HEADER_LENGTH = 2_000

/**
 * The text that tells of query parameters that nobody reads, each with the one that was probably meant.
 * Shape: names percent-encoded and cut at 60 characters, five at most, then the count of the rest.
 * Source: assumption A-15.
 */
export function unknownParametersText(names: readonly string[], known: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => {
    const meant = nearest(name.slice(0, MAX_NAME_LENGTH), known)
    const text = encoded(name)
    return meant === undefined ? text : `${text} (did you mean ${meant}?)`
  })
  const rest = names.length - shown.length
  return `unknown query parameters ignored: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/**
 * The text about lists that match nothing because a comma does not separate their values.
 * Shape: the first five values as they should be sent, percent-encoded and cut at 60 characters, then the count of the rest.
 * Source: assumption A-13.
 */
export function commaText(lists: Readonly<Record<string, readonly string[]>>): string {
  const pairs = Object.entries(lists).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  )
  const shown = pairs.slice(0, MAX_NAMES).map(([name, value]) => `${name}=${encoded(value)}`)
  const rest = pairs.length - shown.length
  const repeated = `${shown.join('&')}${rest > 0 ? ` and ${rest} more` : ''}`
  return `a value with a comma matches nothing, but its parts do: repeat the parameter, as in ${repeated}`
}

/** A text of a request, percent-encoded and cut. */
const encoded = (text: string): string =>
  encodeURIComponent(text.replaceAll(LONE_SURROGATE, '')).slice(0, MAX_NAME_LENGTH)

/** Warnings as the value of a header: printable ASCII, 2,000 characters at most. */
export function warningHeader(warnings: readonly Warning[]): string {
  return warnings
    .map(({ message }) => message.replaceAll(NOT_PRINTABLE, '?').slice(0, MAX_MESSAGE_LENGTH))
    .join('; ')
    .slice(0, MAX_HEADER_LENGTH)
}
