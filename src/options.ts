import * as z from 'zod'

import { invalidRequest } from './contract/errors.ts'
import { MAX_INTEGER, utcDateTime } from './contract/fields.ts'
import { bodyErrors } from './contract/issues.ts'
import { MadeWith } from './contract/made-with.ts'
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

const sizeNames = z.enum(
  ['small', 'medium', 'large'],
  'must be small, medium, large or a number from 3 to 100000',
)

/** The options that make a dataset; the control plane's reseed takes the same. */
export const datasetOptions = {
  seed: z
    .int('must be a whole number')
    .nonnegative('must be at least 0')
    .max(MAX_INTEGER, `must be at most ${MAX_INTEGER}`)
    .optional(),
  size: z
    .union(
      [sizeNames, z.int().min(3).max(100_000)],
      'must be small, medium, large or a number from 3 to 100000',
    )
    .optional(),
  /** A builtin fixture's name, or the content of one. */
  fixture: z
    .union(
      [z.string().min(1), z.record(z.string(), z.unknown())],
      'must be the name or the content of a fixture',
    )
    .optional(),
  now: z
    .union([z.literal('system'), utcDateTime], 'must be a UTC date-time like 2026-01-15T12:00:00Z, or system')
    .optional(),
}

/** What a dataset is to be made from; what is not given keeps its value, or has the default. */
export const DatasetOptions = z.strictObject(datasetOptions)
export type DatasetOptions = z.infer<typeof DatasetOptions>

/** Options as they may be used. Errors: invalid_request that names each option, with the nearest known one. */
export function parsedOptions(options: DatasetOptions): DatasetOptions {
  const parsed = DatasetOptions.safeParse(options)
  if (parsed.success) return parsed.data
  throw invalidRequest(bodyErrors(parsed.error.issues, Object.keys(datasetOptions)))
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

/** What options ask for that a dataset was not made with, as `seed 7 (there: 42)`. Order: as the options are declared. */
export function differences(options: DatasetOptions, there: DatasetKey): string[] {
  const asked = datasetKey(options, there, there.now)
  const found: string[] = []
  if (asked.seed !== there.seed) found.push(`seed ${asked.seed} (there: ${there.seed})`)
  if (asked.size !== there.size) found.push(`size ${asked.size} (there: ${there.size})`)
  if (asked.fixture !== there.fixture) found.push(`fixture ${asked.fixture} (there: ${there.fixture})`)
  else if (JSON.stringify(asked.fixtureContent) !== JSON.stringify(there.fixtureContent)) {
    found.push(`fixture ${asked.fixture} with other content than there`)
  }
  if (clockText(asked) !== clockText(there))
    found.push(`now ${clockText(asked)} (there: ${clockText(there)})`)
  return found
}

const clockText = ({ clock, now }: DatasetKey): string => (clock === 'system' ? clock : now)
