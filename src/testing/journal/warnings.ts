import * as z from 'zod'

import type { Input } from '../../core/input.ts'
import { lazyObject, lazyStrictObject } from '../../core/lazy-schema.ts'
import { addTo } from '../../core/maps.ts'
import { nearest } from '../../core/nearest.ts'
import type { Steps } from '../../core/slices.ts'

/** The kind of a warning; tests may branch on it. */
export const WarningCode = z.enum([
  'unknown_parameter',
  'comma_in_value',
  'future_cursor',
  'unread_pages',
  'repeated_page',
  'single_reads',
  'hasty_retry',
  'rows_lost_in_walk',
  'cursor_past_change',
])
export type WarningCode = z.infer<typeof WarningCode>

export const WarningOptions = lazyStrictObject(() => ({
  ignore: z
    .array(WarningCode)
    .optional()
    .describe('The kinds of warnings to accept. Default: none. Example: `["unread_pages"]`.'),
}))

/** Which warnings to accept. */
export interface WarningOptions extends Input<typeof WarningOptions> {}

export const Warning = lazyObject(() => ({
  code: WarningCode,
  message: z.string(),
  requestIds: z.array(z.int()).describe('The ids of the requests that caused it, in order; 20 at most'),
}))
export type Warning = z.infer<typeof Warning>

/** A search for the warnings that follow from several requests. */
export interface WarningSearch {
  /** Computes in slices what the steps need. Without it, they compute that at once. */
  readonly prepare: () => Promise<void>
  /** Return the warnings with all of their requests. */
  readonly steps: Steps<readonly Warning[]>
}

const MAX_REQUEST_IDS = 20

/** The warnings about the requests of a journal. */
export class Review {
  /** Order: by kind, those of single requests first; then by request. */
  readonly warnings: readonly Warning[]
  readonly #byRequest = new Map<number, Warning[]>()

  constructor(warnings: readonly Warning[]) {
    this.warnings = warnings.map((warning) => {
      const shown = { ...warning, requestIds: warning.requestIds.slice(0, MAX_REQUEST_IDS) }
      for (const id of warning.requestIds) addTo(this.#byRequest, id, shown)
      return shown
    })
  }

  of({ id }: { readonly id: number }): readonly Warning[] {
    return this.#byRequest.get(id) ?? []
  }
}

const LONE_SURROGATE = /\p{Surrogate}/gu
const NOT_PRINTABLE = /[^\x20-\x7e]/gu
const MAX_NAMES = 5
const MAX_NAME_LENGTH = 60
const MAX_MESSAGE_LENGTH = 500
const MAX_HEADER_LENGTH = 2_000

/**
 * Lists the unknown query parameters of a request, each with the nearest known one.
 * Shape: names are percent-encoded and cut at 60 characters; five at most, then the count of the rest.
 * Source: assumption A-15.
 */
export function unknownParametersText(names: readonly string[], parameters: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => {
    const suggestion = nearest(name.slice(0, MAX_NAME_LENGTH), parameters)
    return suggestion === undefined ? encode(name) : `${encode(name)} (did you mean ${suggestion}?)`
  })
  return `unknown query parameters ignored: ${shown.join(', ')}${countRest(names, shown)}`
}

/**
 * Explains that a list is empty because a comma does not separate values.
 * Shape: the values as they should be sent, percent-encoded and cut at 60 characters; five at most, then the count of
 * the rest.
 * Source: assumption A-13.
 */
export function commaText(lists: Readonly<Record<string, readonly string[]>>): string {
  const pairs = Object.entries(lists).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  )
  const shown = pairs.slice(0, MAX_NAMES).map(([name, value]) => `${name}=${encode(value)}`)
  const repeated = `${shown.join('&')}${countRest(pairs, shown)}`
  return `a value with a comma matches nothing, but its parts do: repeat the parameter, as in ${repeated}`
}

export function futureCursorText(updatedSince: string, now: string): string {
  return `updatedSince ${encode(updatedSince)} is after the present, ${now}, so nothing matches: use the Date of an earlier response as a cursor, or move the clock`
}

function countRest(all: readonly unknown[], shown: readonly unknown[]): string {
  return all.length > shown.length ? ` and ${all.length - shown.length} more` : ''
}

function encode(text: string): string {
  return encodeURIComponent(text.replaceAll(LONE_SURROGATE, '')).slice(0, MAX_NAME_LENGTH)
}

/** Renders warnings as the value of a header: printable ASCII, 2,000 characters at most. */
export function renderWarningHeader(warnings: readonly Warning[]): string {
  return warnings
    .map(({ message }) => message.replaceAll(NOT_PRINTABLE, '?').slice(0, MAX_MESSAGE_LENGTH))
    .join('; ')
    .slice(0, MAX_HEADER_LENGTH)
}
