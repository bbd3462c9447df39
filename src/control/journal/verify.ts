import * as z from 'zod'

import { differences, OTHER_OPERATION, quoted } from './differences.ts'
import type { Entry } from './entry.ts'
import type { Journal } from './journal.ts'
import { pattern, RequestPattern } from './pattern.ts'
import { callerOf, outcomeText } from './view.ts'

const times = z.int('must be a whole number').nonnegative('must be at least 0')

const expectation = {
  /** Exactly so many. */
  count: times.optional(),
  atLeast: times.optional(),
  atMost: times.optional(),
  never: z.literal(true, 'must be true').optional(),
  /** Requests that must have come one after another; others may lie between. */
  inOrder: z.array(RequestPattern).min(1, 'must have at least 1 element').max(100).optional(),
}

const alone = (names: readonly string[]) => `does not go together with ${names.join(', ')}`

/** What is expected of the requests: how many of a kind, or an order. Nothing said of the number: at least one. */
export const VerifyRule = z.strictObject({ ...pattern, ...expectation }).superRefine((rule, context) => {
  const given = Object.entries(rule).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  const refuse = (name: string, allowed: readonly string[]): void => {
    const others = given.filter((one) => one !== name && !allowed.includes(one))
    if (given.includes(name) && others.length > 0)
      context.addIssue({ code: 'custom', path: [name], message: alone(others) })
  }
  refuse('inOrder', [])
  refuse('count', Object.keys(pattern))
  refuse('never', Object.keys(pattern))
  if (rule.atLeast !== undefined && rule.atMost !== undefined && rule.atLeast > rule.atMost)
    context.addIssue({ code: 'custom', path: ['atLeast'], message: 'must not be more than atMost' })
})
export type VerifyRule = z.input<typeof VerifyRule>

/** The names that a rule, or a step of its order, may have. */
export const ruleKeys: readonly string[] = [...Object.keys(pattern), ...Object.keys(expectation)]

/** A request that is near to what was expected, and in what it differs. */
export interface NearMiss {
  readonly id: number
  readonly method: string
  readonly path: string
  readonly operationId: string | undefined
  /** Empty where the request matches. */
  readonly differences: readonly string[]
}

/** What became of an expectation. */
export interface Verdict {
  readonly passed: boolean
  /** A text of several lines, the nearest requests among them. */
  readonly message: string
  readonly nearest: readonly NearMiss[]
}

const MAX_NEAREST = 5

/** Compares a parsed rule with the requests in a journal. */
export function judged(journal: Journal, rule: z.output<typeof VerifyRule>): Verdict {
  const entries = journal.entries()
  const verdict = rule.inOrder ? judgedOrder(entries, rule.inOrder) : judgedCount(entries, rule)
  if (journal.dropped === 0) return verdict
  const note = `The journal no longer holds the first ${plural(journal.dropped, 'request')}.`
  return { ...verdict, message: `${verdict.message}\n${note}` }
}

function judgedCount(entries: readonly Entry[], rule: z.output<typeof VerifyRule>): Verdict {
  const { count, atLeast, atMost, never, inOrder: _, ...wanted } = rule
  const least = count ?? atLeast ?? (never || atMost !== undefined ? 0 : 1)
  const most = count ?? atMost ?? (never ? 0 : Infinity)
  const near = entries
    .map((entry) => compared(entry, wanted))
    .toSorted((a, b) => a.weight - b.weight || b.entry.id - a.entry.id)
  const matching = near.filter(({ texts }) => texts.length === 0)
  const found = `${described(wanted)}: ${expected(least, most)}, found ${matching.length} among ${plural(entries.length, 'request')}`
  if (matching.length >= least && matching.length <= most)
    return { passed: true, message: `${found}.`, nearest: [] }
  const tooMany = matching.length > most
  const shown = tooMany ? matching : nearest(near.filter(({ texts }) => texts.length > 0))
  return failed(
    `${found}.`,
    tooMany ? 'These match:' : 'The nearest that do not match:',
    shown.slice(0, MAX_NEAREST),
  )
}

function judgedOrder(entries: readonly Entry[], steps: readonly RequestPattern[]): Verdict {
  let from = 0
  for (const [index, step] of steps.entries()) {
    const at = entries.findIndex(
      (entry, position) => position >= from && compared(entry, step).texts.length === 0,
    )
    if (at === -1) return brokenOrder(entries, step, index, from)
    from = at + 1
  }
  return { passed: true, message: `All ${steps.length} requests came in this order.`, nearest: [] }
}

function brokenOrder(entries: readonly Entry[], step: RequestPattern, index: number, from: number): Verdict {
  const place = index === 0 ? 'none matches it' : `none after request ${entries[from - 1]?.id} matches it`
  const shown = entries
    .slice(from)
    .map((entry) => compared(entry, step))
    .toSorted((a, b) => a.weight - b.weight || a.entry.id - b.entry.id)
  const early = entries
    .slice(0, from)
    .map((entry) => compared(entry, step))
    .filter(({ texts }) => texts.length === 0)
  const head = `Step ${index + 1} of the order, ${described(step)}: ${place}.`
  const fact = early.length > 0 ? ` It came earlier, as request ${early[0]?.entry.id}.` : ''
  return failed(`${head}${fact}`, 'The nearest there:', nearest(shown).slice(0, MAX_NEAREST))
}

interface Compared {
  readonly entry: Entry
  readonly texts: readonly string[]
  readonly weight: number
}

function compared(entry: Entry, wanted: RequestPattern): Compared {
  const found = differences(entry, wanted)
  const weight = found.reduce((sum, difference) => sum + difference.weight, 0)
  return { entry, texts: found.map(({ text }) => text), weight }
}

/** Leaves out the requests of other operations where there is one of the right. */
function nearest(sorted: readonly Compared[]): readonly Compared[] {
  const isNear = ({ weight }: Compared) => weight < OTHER_OPERATION
  return sorted.some(isNear) ? sorted.filter(isNear) : sorted
}

function failed(head: string, title: string, shown: readonly Compared[]): Verdict {
  const lines = shown.map(
    ({ entry, texts }) => `  ${lineOf(entry)}${texts.map((text) => `\n    ${text}`).join('')}`,
  )
  return {
    passed: false,
    message: [head, ...(shown.length > 0 ? [title, ...lines] : [])].join('\n'),
    nearest: shown.map(({ entry, texts }) => ({
      id: entry.id,
      method: entry.method,
      path: entry.path,
      operationId: entry.endpoint?.id,
      differences: texts,
    })),
  }
}

function lineOf(entry: Entry): string {
  const caller = callerOf(entry)
  const by = caller ? ` by ${caller.name} (${caller.id})` : ''
  const query = entry.search === '' ? '' : `?${entry.search}`
  return `request ${entry.id}: ${entry.method} ${entry.path}${query}${by} -> ${outcomeText(entry.status)}`
}

function described({ operationId, ...wanted }: RequestPattern): string {
  const parts = Object.entries(wanted)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : quoted(value)}`)
  return [operationId ?? 'any request', ...parts].join(', ')
}

function expected(least: number, most: number): string {
  if (most === 0) return 'expected never'
  if (least === most) return `expected ${plural(least, 'time')}`
  if (most === Infinity) return `expected at least ${plural(least, 'time')}`
  return least === 0 ? `expected at most ${plural(most, 'time')}` : `expected ${least} to ${most} times`
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
