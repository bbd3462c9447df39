import * as z from 'zod'

import { zeroOrMore } from '../../contract/fields.ts'
import { type Input, named } from '../../core/input.ts'
import { removeUndefined } from '../../core/json.ts'
import { lazyObject, lazyStrictObject } from '../../core/lazy-schema.ts'
import { pluralize } from '../../core/words.ts'
import { compare, describeOutcome, OPERATION_WEIGHT, quote } from './compare.ts'
import { rejectImpossible, RequestPattern } from './pattern.ts'
import type { RecordedRequest } from './recorded-request.ts'
import { nameEntry, toCaller } from './view.ts'

export const VerifyRule = lazyStrictObject(() => ({
  ...RequestPattern.shape,
  count: zeroOrMore.optional().describe('The exact number of matching requests. Example: `1`.'),
  atLeast: zeroOrMore
    .optional()
    .describe(
      'The minimum number of matching requests. Default: 1, if no other count is given. Example: `1`.',
    ),
  atMost: zeroOrMore
    .optional()
    .describe('The maximum number of matching requests. Default: no limit. Example: `3`.'),
  never: z
    .literal(true, 'must be true')
    .optional()
    .describe('Requires that no request matches. Example: `true`.'),
  inOrder: z
    .array(named<RequestPattern>(RequestPattern))
    .min(1, 'must have at least 1 element')
    .max(100)
    .optional()
    .describe(
      'Requests that must arrive one after another, possibly with others between; each has the fields above except counts. Example: `[{ "method": "GET" }, { "method": "POST" }]`.',
    ),
})).superRefine((rule, context) => {
  rejectImpossible(rule, context)
  const names = Object.keys(removeUndefined(rule))
  const isolate = (name: string, allowed: readonly string[]): void => {
    const others = names.filter((one) => one !== name && !allowed.includes(one))
    if (names.includes(name) && others.length > 0) {
      const message = `cannot be combined with ${others.join(', ')}`
      context.addIssue({ code: 'custom', path: [name], message })
    }
  }
  isolate('inOrder', [])
  const patternKeys = Object.keys(RequestPattern.shape)
  isolate('count', patternKeys)
  isolate('never', patternKeys)
  if (rule.atLeast !== undefined && rule.atMost !== undefined && rule.atLeast > rule.atMost)
    context.addIssue({ code: 'custom', path: ['atLeast'], message: 'must not be greater than atMost' })
})

/** The expected requests: the number of matches, by default at least one; or an order. */
export interface VerifyRule extends Input<typeof VerifyRule> {}

export const Verification = lazyObject(() => ({
  passed: z.boolean(),
  message: z.string().describe('The result in words; a failure lists the most similar requests'),
  nearest: z.array(
    z.object({
      id: z.int(),
      method: z.string(),
      path: z.string(),
      operationId: z.string().optional(),
      differences: z.array(z.string()).describe('How the request differs; empty if it matches'),
    }),
  ),
}))
export type Verification = z.infer<typeof Verification>

const MAX_NEAREST = 5

/** @param dropped the number of earlier entries that a journal has evicted */
export function verify(
  entries: readonly RecordedRequest[],
  dropped: number,
  rule: z.output<typeof VerifyRule>,
): Verification {
  const verdict = rule.inOrder ? verifyOrder(entries, rule.inOrder) : verifyCount(entries, rule)
  if (dropped === 0) return verdict
  const note = `The journal has evicted the first ${pluralize(dropped, 'request')}.`
  return { ...verdict, message: `${verdict.message}\n${note}` }
}

function verifyCount(entries: readonly RecordedRequest[], rule: z.output<typeof VerifyRule>): Verification {
  const { count, atLeast, atMost, never, inOrder: _, ...pattern } = rule
  const least = count ?? atLeast ?? (never || atMost !== undefined ? 0 : 1)
  const most = count ?? atMost ?? (never ? 0 : Infinity)
  const candidates = entries
    .map((entry) => compareWith(entry, pattern))
    .toSorted((a, b) => a.weight - b.weight || b.entry.id - a.entry.id)
  const matching = candidates.filter(matches)
  const counts = `found ${matching.length} among ${pluralize(entries.length, 'request')}`
  const result = `${describePattern(pattern)}: ${describeCount(least, most)}, ${counts}.`
  if (matching.length > most) return fail(result, 'Matching requests:', matching)
  if (matching.length < least)
    return fail(result, 'Nearest requests:', keepNear(candidates.filter((candidate) => !matches(candidate))))
  return { passed: true, message: result, nearest: [] }
}

function verifyOrder(entries: readonly RecordedRequest[], steps: readonly RequestPattern[]): Verification {
  let from = 0
  for (const [index, step] of steps.entries()) {
    const candidates = entries.map((entry) => compareWith(entry, step))
    const at = candidates.findIndex((candidate, position) => position >= from && matches(candidate))
    if (at === -1) {
      const before = candidates[from - 1]
      const place = before ? `no request after ${before.entry.id} matches` : 'no request matches'
      const early = candidates.slice(0, from).find(matches)
      const hint = early ? ` Request ${early.entry.id} matches, but arrived earlier.` : ''
      const later = candidates.slice(from).toSorted((a, b) => a.weight - b.weight || a.entry.id - b.entry.id)
      const result = `Step ${index + 1} of the order, ${describePattern(step)}: ${place}.${hint}`
      return fail(result, 'Nearest requests:', keepNear(later))
    }
    from = at + 1
  }
  return { passed: true, message: `All ${steps.length} requests arrived in this order.`, nearest: [] }
}

type Candidate = ReturnType<typeof compareWith>

function compareWith(entry: RecordedRequest, pattern: RequestPattern) {
  const differences = compare(entry, pattern)
  const weight = differences.reduce((sum, difference) => sum + difference.weight, 0)
  return { entry, differences: differences.map(({ text }) => text), weight }
}

const matches = ({ differences }: Candidate): boolean => differences.length === 0

function keepNear(candidates: readonly Candidate[]): readonly Candidate[] {
  const near = candidates.filter(({ weight }) => weight < OPERATION_WEIGHT)
  return near.length > 0 ? near : candidates
}

function fail(result: string, title: string, candidates: readonly Candidate[]): Verification {
  const shown = candidates.slice(0, MAX_NEAREST)
  const lines = shown.map(({ entry, differences }) =>
    [`  ${describeEntry(entry)}`, ...differences].join('\n    '),
  )
  return {
    passed: false,
    message: [result, ...(shown.length > 0 ? [title, ...lines] : [])].join('\n'),
    nearest: shown.map(({ entry: { id, method, path, endpoint }, differences }) => ({
      id,
      method,
      path,
      operationId: endpoint?.id,
      differences,
    })),
  }
}

function describeEntry(entry: RecordedRequest): string {
  const caller = toCaller(entry)
  const by = caller ? ` by ${caller.name} (${caller.id})` : ''
  return `${nameEntry(entry)}${by} -> ${describeOutcome(entry)}`
}

function describePattern({ operationId, ...pattern }: RequestPattern): string {
  const parts = Object.entries(removeUndefined(pattern)).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : quote(value)}`,
  )
  return [operationId ?? 'any request', ...parts].join(', ')
}

function describeCount(least: number, most: number): string {
  if (most === 0) return 'expected never'
  if (least === most) return `expected ${pluralize(least, 'time')}`
  if (most === Infinity) return `expected at least ${pluralize(least, 'time')}`
  return least === 0 ? `expected at most ${pluralize(most, 'time')}` : `expected ${least} to ${most} times`
}
