import * as z from 'zod'

import { invalidRequest, SandboxError } from './contract/errors.ts'
import { MAX_INTEGER, utcDateTime } from './contract/fields.ts'
import { bodyErrors } from './contract/issues.ts'
import { MadeWith } from './contract/made-with.ts'
import { optionKeys, PartialSettings } from './contract/settings.ts'
import type { DatasetKey } from './store/dataset.ts'

/** The named sizes, in customers of the first organization. */
const sizes = { small: 25, medium: 300, large: 10_000 } as const

/** The dataset that is made where nothing else is asked for. */
export const defaults = {
  seed: 42,
  size: sizes.medium,
  fixture: 'default',
  now: '2026-01-15T12:00:00.000Z',
} as const

/** What each option must be. */
const must = {
  seed: `must be a whole number from 0 to ${MAX_INTEGER}`,
  size: 'must be small, medium, large or a number from 3 to 100000',
  fixture: 'must be the name or the content of a fixture',
  now: 'must be a UTC date-time like 2026-01-15T12:00:00Z, or system',
} as const

/** The options that make a dataset; the control plane's reseed takes the same. */
export const datasetOptions = {
  seed: z.int(must.seed).nonnegative(must.seed).max(MAX_INTEGER, must.seed).optional(),
  size: z
    .union(
      [
        z.enum(['small', 'medium', 'large'], must.size),
        z.int(must.size).min(3, must.size).max(100_000, must.size),
      ],
      must.size,
    )
    .optional(),
  /** A builtin fixture's name, or the content of one. */
  fixture: z
    .union([z.string().min(1, must.fixture), z.record(z.string(), z.unknown())], must.fixture)
    .optional(),
  now: z.union([z.literal('system'), utcDateTime], must.now).optional(),
}

/** What a dataset is to be made from; what is not given keeps its value, or has the default. */
export const DatasetOptions = z.strictObject(datasetOptions)
export type DatasetOptions = z.infer<typeof DatasetOptions>

/** Options as they may be used. Errors: invalid_request that names each option, with the nearest known one. */
export function parsedOptions(options: DatasetOptions): DatasetOptions {
  return parsedObject(DatasetOptions, options)
}

/** The options of `createSandbox`. */
const SandboxOptions = z.strictObject({ ...datasetOptions, assumptions: PartialSettings.optional() })

/** Options of `createSandbox` as they may be used. Errors: as parsedOptions. */
export function parsedSandboxOptions(
  options: DatasetOptions & { readonly assumptions?: PartialSettings | undefined },
): z.infer<typeof SandboxOptions> {
  return parsedObject(SandboxOptions, options)
}

function parsedObject<T extends z.ZodObject>(schema: T, options: unknown): z.infer<T> {
  const parsed = schema.safeParse(options)
  if (parsed.success) return parsed.data
  const errors = bodyErrors(parsed.error.issues, optionKeys(Object.keys(schema.shape)))
  if (errors[0]?.name !== '') throw invalidRequest(errors)
  throw new SandboxError('invalid_request', 'The options must be an object like { seed: 42 }.', { errors })
}

/** An instant as it may be used. Errors: invalid_request. */
export function parsedInstant(instant: string): string {
  const parsed = utcDateTime.safeParse(instant)
  if (parsed.success) return parsed.data
  throw invalidRequest(bodyErrors(parsed.error.issues, []))
}

/**
 * The key of the dataset that options ask for; what they leave open is as it was, or has the default.
 * @param time the machine's time, for `now: 'system'`
 */
export function datasetKey(
  options: DatasetOptions,
  previous: DatasetKey | undefined,
  time: string,
): DatasetKey {
  const made = madeWith(options.fixture)
  const { seed = made.seed, size = made.size, now = made.now } = options
  const asked = now ?? (previous?.clock === 'system' ? 'system' : (previous?.now ?? defaults.now))
  return {
    seed: seed ?? previous?.seed ?? defaults.seed,
    size: typeof size === 'string' ? sizes[size] : (size ?? previous?.size ?? defaults.size),
    ...fixtureKey(options.fixture, previous),
    now: asked === 'system' ? time : new Date(asked).toISOString(),
    clock: asked === 'system' ? 'system' : 'frozen',
  }
}

/** What a fixture that is a whole dataset was made with; a wrong one is refused when it is loaded. */
function madeWith(fixture: DatasetOptions['fixture']): z.infer<typeof MadeWith> {
  if (typeof fixture !== 'object') return {}
  return MadeWith.safeParse(fixture['madeWith']).data ?? {}
}

function fixtureKey(
  fixture: DatasetOptions['fixture'],
  previous: DatasetKey | undefined,
): Pick<DatasetKey, 'fixture' | 'fixtureContent'> {
  if (fixture === undefined && previous) {
    const { fixture: name, fixtureContent } = previous
    return fixtureContent === undefined ? { fixture: name } : { fixture: name, fixtureContent }
  }
  if (typeof fixture !== 'object') return { fixture: fixture ?? defaults.fixture }
  return {
    fixture: typeof fixture['name'] === 'string' ? fixture['name'] : 'custom',
    fixtureContent: fixture,
  }
}

/** The options that a dataset was not made with, like `seed 7`. Order: as the options are declared. */
export function differences(options: DatasetOptions, there: DatasetKey): string[] {
  const asked = datasetKey(options, there, there.now)
  const found: string[] = []
  if (asked.seed !== there.seed) found.push(`seed ${asked.seed}`)
  if (asked.size !== there.size) found.push(`size ${asked.size}`)
  if (asked.fixture !== there.fixture) found.push(`fixture ${asked.fixture}`)
  else if (JSON.stringify(asked.fixtureContent) !== JSON.stringify(there.fixtureContent)) {
    found.push(`fixture ${asked.fixture} with other content`)
  }
  if (clockText(asked) !== clockText(there)) found.push(`now ${clockText(asked)}`)
  return found
}

const clockText = ({ clock, now }: DatasetKey): string => (clock === 'system' ? clock : now)
