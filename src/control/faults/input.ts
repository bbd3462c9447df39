import * as z from 'zod'

import { type FieldError, invalidRequest } from '../../contract/errors.ts'
import { bodyErrors } from '../../contract/issues.ts'
import { allowsBody } from './answer.ts'
import { behaviour } from './behaviour.ts'
import { ProfileName } from './profiles.ts'
import { resolvedTarget, target } from './target.ts'

/** How many faults a session may have. */
export const MAX_FAULTS = 1_000

const count = z.int('must be a whole number')

const shape = {
  ...target,
  ...behaviour,
  /** A named behaviour in place of one of its own. */
  profile: ProfileName.optional(),
  /** How often it happens at most. */
  times: count.min(1, 'must be at least 1').optional(),
  /** How many requests it lets through first. */
  after: count.min(0, 'must be at least 0').optional(),
}

type Key = keyof typeof shape

/** A fault says one of these; a delay or headers may stand alone too. */
const effects = ['status', 'sequence', 'rateLimit', 'malfunction', 'reset', 'profile'] as const

/** The keys that make sense only beside one of others. */
const needs: Partial<Record<Key, readonly Key[]>> = {
  body: ['status', 'sequence', 'rateLimit'],
  retryAfterSeconds: ['status', 'sequence'],
  repeat: ['sequence'],
  stored: ['status', 'sequence', 'malfunction', 'reset'],
}

/** The keys that an effect leaves no room for. */
const excludes: Partial<Record<Key, readonly Key[]>> = {
  malfunction: ['headers'],
  reset: ['headers'],
  profile: ['headers', 'delayMs', 'probability'],
}

/** What is injected into which requests. Errors: what contradicts itself, or is aimed at nothing that exists. */
export const FaultInput = z.strictObject(shape).superRefine((fault, context) => {
  for (const [name, message] of contradictions(fault)) {
    context.addIssue({ code: 'custom', path: name === undefined ? [] : [name], message })
  }
  const aim = resolvedTarget(fault)
  if ('message' in aim) context.addIssue({ code: 'custom', path: [aim.name], message: aim.message })
})
export type FaultInput = z.input<typeof FaultInput>

/** A fault as it was given, checked. */
export type FaultSettings = z.output<typeof FaultInput>

const FaultList = z
  .array(FaultInput)
  .min(1, 'must have a fault')
  .max(MAX_FAULTS, `must have at most ${MAX_FAULTS} faults`)

/**
 * One fault or a list of them, checked.
 * Errors: invalid_request that names each field, with the nearest known one.
 * @param under where the faults stand in the body
 */
export function parsedFaults(input: unknown, under: readonly PropertyKey[] = []): readonly FaultSettings[] {
  const parsed = Array.isArray(input) ? FaultList.safeParse(input) : FaultInput.safeParse(input)
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => ({ ...issue, path: [...under, ...issue.path] }))
    throw invalidRequest(errorsOf(issues))
  }
  return Array.isArray(parsed.data) ? parsed.data : [parsed.data]
}

type Contradiction = readonly [key: Key | undefined, message: string]

function* contradictions(fault: FaultSettings): Generator<Contradiction> {
  const isGiven = (key: Key): boolean => fault[key] !== undefined && fault[key] !== false
  const [effect, other] = effects.filter(isGiven)
  if (effect === undefined && !isGiven('delayMs') && !isGiven('headers')) {
    yield [undefined, `must say what happens: one of ${effects.join(', ')}, delayMs, headers`]
  }
  if (effect !== undefined && other !== undefined) yield [other, `cannot stand beside ${effect}`]
  for (const [key, others] of entries(needs)) {
    if (isGiven(key) && !others.some(isGiven)) yield [key, `needs ${others.join(' or ')}`]
  }
  if (effect !== undefined) {
    for (const key of excludes[effect] ?? []) if (isGiven(key)) yield [key, `cannot stand beside ${effect}`]
  }
  if (fault.malfunction === 'hang' && isGiven('delayMs')) {
    yield ['delayMs', 'cannot stand beside a malfunction that never ends']
  }
  if (fault.status !== undefined && isGiven('body') && !allowsBody(fault.status)) {
    yield ['body', `cannot stand beside a status of ${fault.status}, which has none`]
  }
  if (isGiven('retryAfterSeconds') && fault.headers?.['retry-after'] !== undefined) {
    yield ['retryAfterSeconds', 'says again what the header Retry-After says']
  }
}

function entries(table: Partial<Record<Key, readonly Key[]>>): readonly (readonly [Key, readonly Key[]])[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of Object.entries forgets the keys
  return Object.entries(table) as [Key, readonly Key[]][]
}

/** An unknown key is told with the nearest of the place where it stands. */
function errorsOf(issues: readonly z.core.$ZodIssue[]): FieldError[] {
  const outer = issues.filter((issue) => !isInner(issue))
  return [
    ...bodyErrors(outer, Object.keys(shape)),
    ...bodyErrors(issues.filter(isInner), ['requests', 'windowSeconds']),
  ]
}

const isInner = ({ path }: z.core.$ZodIssue): boolean => path.includes('rateLimit')
