import * as z from 'zod'

import { zeroOrMore } from '../../contract/fields.ts'
import type { Input } from '../../core/input.ts'
import { lazyObject, lazyStrictObject } from '../../core/lazy-schema.ts'
import { rejectContradiction, RequestTarget } from '../request-target.ts'
import { allowsBody, effectOptions, effects, FaultEffect } from './effects.ts'
import { ProfileName } from './profiles.ts'

export const MAX_FAULTS = 1_000

export const FaultInput = lazyStrictObject(() => ({
  operationId: RequestTarget.shape.operationId,
  method: z
    .string()
    .transform((method) => method.toUpperCase())
    .pipe(z.enum(['GET', 'HEAD', 'POST']))
    .optional()
    .describe('The method to act on; GET includes HEAD. Default: all. Example: `POST`.'),
  path: RequestTarget.shape.path,
  ...FaultEffect.shape,
  profile: ProfileName.optional().describe('A named combination of effects. Example: `flaky`.'),
  times: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .optional()
    .describe('The maximum number of requests that the fault acts on. Default: no limit. Example: `2`.'),
  after: zeroOrMore
    .optional()
    .describe('The number of matching requests that the fault lets through first. Default: 0. Example: `3`.'),
}))
  .superRefine((fault, context) => {
    for (const [name, message] of findContradictions(fault)) {
      context.addIssue({ code: 'custom', path: name === undefined ? [] : [name], message })
    }
    rejectContradiction(fault, context)
  })
  .meta({ id: 'FaultInput' })

/** A fault to inject. */
export interface FaultInput extends Input<typeof FaultInput> {}

/** A fault as it is parsed. */
export type FaultSettings = z.output<typeof FaultInput>
type Field = keyof FaultSettings

export const Fault = lazyObject(() => ({
  id: z.string(),
  ...FaultInput.shape,
  matched: z.int().describe('The number of matching requests while the fault was active'),
  injected: z.int().describe('The number of requests that the fault has acted on'),
  left: z
    .int()
    .nullable()
    .describe('The number of requests that the fault will still act on; null if there is no limit'),
})).meta({ id: 'Fault' })
export type Fault = z.output<typeof Fault>

export const FaultList = z
  .array(FaultInput)
  .min(1, 'must have at least one fault')
  .max(MAX_FAULTS, `must have at most ${MAX_FAULTS} faults`)

export const FaultsInput: z.ZodType<FaultSettings | FaultSettings[], FaultInput | readonly FaultInput[]> =
  z.union([FaultInput, FaultList], 'must be a fault or a list of faults')

const options = new Set(Object.values(effectOptions).flat())

function* findContradictions(
  fault: FaultSettings,
): Generator<readonly [field: Field | undefined, message: string]> {
  const isGiven = (field: Field): boolean => fault[field] !== undefined && fault[field] !== false
  const [effect, other] = effects.filter(isGiven)
  if (effect === undefined && !isGiven('delayMs') && !isGiven('headers')) {
    yield [undefined, `must have an effect: one of ${effects.join(', ')}, delayMs, headers`]
  }
  if (effect !== undefined && other !== undefined) yield [other, `cannot be combined with ${effect}`]
  for (const option of options) {
    if (!isGiven(option)) continue
    const allowing = effects.filter((name) => effectOptions[name].some((allowed) => allowed === option))
    if (!effectOptions.none.includes(option)) {
      if (!allowing.some(isGiven)) yield [option, `requires ${allowing.join(' or ')}`]
    } else if (effect !== undefined && !allowing.includes(effect)) {
      yield [option, `cannot be combined with ${effect}`]
    }
  }
  if (fault.malfunction === 'hang' && isGiven('delayMs')) {
    yield ['delayMs', 'cannot be combined with hang, which never responds']
  }
  if (fault.status !== undefined && isGiven('body') && !allowsBody(fault.status)) {
    yield ['body', `cannot be combined with status ${fault.status}, which has no body`]
  }
  if (isGiven('retryAfterDate') && !isGiven('retryAfterSeconds'))
    yield ['retryAfterDate', 'requires retryAfterSeconds']
  if (isGiven('retryAfterSeconds') && fault.headers?.['retry-after'] !== undefined) {
    yield ['retryAfterSeconds', 'repeats the Retry-After header']
  }
}
