import * as z from 'zod'

import { anyNames, MAX_SIZE, MadeWith, utcDateTime, withinDatasetTimes } from '../contract/fields.ts'
import { invalidField, invalidRequest, SandboxError } from '../core/errors.ts'
import { findLoss } from '../core/exact-json.ts'
import type { Input } from '../core/input.ts'
import { formatPath, parsedOnce, validationErrors } from '../core/issues.ts'
import { nestedTooDeep, removeUndefined } from '../core/json.ts'
import { runInSlices } from '../core/slices.ts'
import { datasetKey, type DatasetKey, FutureMode } from '../store/dataset-key.ts'

const sizes = { small: 25, medium: 300, large: 10_000 } as const

const defaults = {
  seed: 42,
  size: sizes.medium,
  fixture: 'default',
  now: '2026-01-15T12:00:00.000Z',
  future: 'still',
} as const

const messages = {
  size: `must be small, medium, large or a number from 3 to ${MAX_SIZE}`,
  fixture: 'must be the name or the content of a fixture',
  now: 'must be a UTC date-time like 2026-01-15T12:00:00Z, or system',
} as const

export const datasetOptions = {
  seed: datasetKey.seed
    .optional()
    .describe(`The number that all data is generated from. Default: ${defaults.seed}. Example: \`7\`.`),
  size: z
    .union([z.enum(['small', 'medium', 'large']), z.int(messages.size).min(3).max(MAX_SIZE)], messages.size)
    .optional()
    .describe(
      `The number of customers of the first organization; \`small\` is ${sizes.small}, \`medium\` ${sizes.medium}, \`large\` ${sizes.large}. Default: \`medium\`. Example: \`small\`.`,
    ),
  fixture: anyNames(
    z.union(
      [z.string(messages.fixture).min(1).max(1_000), z.record(z.string(), z.unknown())],
      messages.fixture,
    ),
  )
    .optional()
    .describe(
      'The name of a built-in fixture, or the content of a custom one. Default: `default`. Example: `edge-cases`.',
    ),
  now: z
    .union([z.literal('system'), withinDatasetTimes(utcDateTime)], messages.now)
    .optional()
    .describe(
      `The time of the frozen clock; \`system\` starts at the real time and lets the clock run. Default: \`${defaults.now}\`. Example: \`system\`.`,
    ),
  future: FutureMode.optional().describe(
    'Whether the data changes as time passes: `still` or `living`. Default: `still`. Example: `living`.',
  ),
}

export const DatasetOptions = z.strictObject(datasetOptions)

/** The options that a dataset is generated from. */
export interface DatasetOptions extends Input<typeof DatasetOptions> {}

/** Errors: invalid_request, also for a fixture that JSON would change. */
export async function parseDatasetOptions(input: DatasetOptions): Promise<DatasetOptions> {
  const options = parseOptions(DatasetOptions, input)
  const { fixture } = options
  // A name needs no slices, whose stopwatch Node takes 3 ms to load.
  const loss = typeof fixture === 'object' ? await runInSlices(findLoss(fixture)) : undefined
  // The reader of the fixture says where it is nested too deep.
  if (!loss || loss.message === nestedTooDeep) return options
  throw invalidField(formatPath(['fixture', ...loss.path]), loss.message)
}

export function parseOptions<S extends z.ZodObject>(schema: S, options: unknown): z.output<S> {
  const parsed = schema.safeParse(options, parsedOnce)
  if (parsed.success) return parsed.data
  const errors = validationErrors('body', schema, parsed.error.issues)
  if (errors[0]?.name !== '') throw invalidRequest(errors)
  throw new SandboxError('invalid_request', 'The options must be an object like { seed: 42 }.', { errors })
}

/** Omitted options keep their previous value, or have the default. @param time the machine's time, for `now: 'system'` */
export function resolveDatasetKey(
  options: DatasetOptions,
  previous: DatasetKey | undefined,
  time: string,
): DatasetKey {
  const exported = MadeWith.safeParse(Reflect.get(Object(options.fixture), 'madeWith')).data
  const { seed, size, fixture, now, future } = {
    ...defaults,
    ...(previous && toDatasetOptions(previous)),
    ...removeUndefined({ ...exported, ...removeUndefined(options) }),
  }
  const isContent = typeof fixture === 'object'
  const name = isContent ? fixture['name'] : fixture
  return {
    seed,
    size: typeof size === 'string' ? sizes[size] : size,
    fixture: typeof name === 'string' ? name : 'custom',
    ...(isContent && { fixtureContent: fixture }),
    now: now === 'system' ? time : new Date(now).toISOString(),
    clock: now === 'system' ? 'system' : 'frozen',
    ...(future === 'living' && { future }),
  }
}

/** Returns the options that make the dataset of a key again. */
export const toDatasetOptions = (key: DatasetKey) => ({
  seed: key.seed,
  size: key.size,
  fixture: key.fixtureContent ?? key.fixture,
  now: key.clock === 'system' ? key.clock : key.now,
  future: key.future ?? 'still',
})

/** Returns the key of a dataset whose clock may have a rate. @throws SandboxError `invalid_request` if it is frozen */
export function checkRate(clockRate: number | undefined, key: DatasetKey): DatasetKey {
  if (clockRate === undefined || key.clock === 'system') return key
  const advice = 'Set the option now to system, or remove the option clockRate.'
  throw new SandboxError(
    'invalid_request',
    `Cannot use the option clockRate, because the clock is frozen. ${advice}`,
  )
}

export function listDifferences(options: DatasetOptions, actual: DatasetKey): string[] {
  const key = resolveDatasetKey(options, actual, actual.now)
  const [requested, made] = [toDatasetOptions(key), toDatasetOptions(actual)]
  return (['seed', 'size', 'fixture', 'now', 'future'] as const).flatMap((name) => {
    if (JSON.stringify(requested[name]) === JSON.stringify(made[name])) return []
    if (name !== 'fixture') return `${name} ${requested[name]}`
    return `fixture ${key.fixture}${key.fixture === actual.fixture ? ' with other content' : ''}`
  })
}
