import * as z from 'zod'

import type { Input } from '../../core/input.ts'
import { lazyObject, lazyStrictObject } from '../../core/lazy-schema.ts'
import { addTo } from '../../core/maps.ts'
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

/** @param found the warnings about the requests of a journal. Order: by kind, those of single requests first; then by request */
export function createReview(found: readonly Warning[]) {
  const byRequest = new Map<number, Warning[]>()
  const warnings = found.map((warning) => {
    const shown = { ...warning, requestIds: warning.requestIds.slice(0, MAX_REQUEST_IDS) }
    for (const id of warning.requestIds) addTo(byRequest, id, shown)
    return shown
  })
  return { warnings, of: ({ id }: { readonly id: number }): readonly Warning[] => byRequest.get(id) ?? [] }
}
