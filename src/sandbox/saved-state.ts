import * as z from 'zod'

import type { Settings } from '../contract/choices.ts'
import { invalidRequest, SandboxError } from '../contract/errors.ts'
import { utcDateTime } from '../contract/fields.ts'
import { parseInput } from '../contract/issues.ts'
import { isObject, isShallow, MAX_DEPTH, nestedTooDeep } from '../contract/json.ts'
import { choiceNames, defaultSettings, PartialSettings, withSettings } from '../contract/settings.ts'
import { version } from '../contract/version.ts'
import { loadFaults, SavedFaults, saveFaults } from '../faults/saved-faults.ts'
import { loadScenarios, SavedScenarios, saveScenarios } from '../scenarios/saved-scenarios.ts'
import type { Session, SessionSnapshot } from '../sessions/session.ts'
import { Tick } from '../sessions/tick.ts'
import {
  type DatasetOptions,
  datasetOptions,
  listDifferences,
  parseDatasetOptions,
  resolveDatasetKey,
} from '../store/dataset-options.ts'
import type { Dataset, DatasetKey } from '../store/dataset.ts'
import type { Change } from '../store/documents.ts'
import { ChangeList, findOddChange } from '../store/formats.ts'
import { Overlay } from '../store/overlay.ts'
import { checkReferences, createLookup } from '../store/references.ts'
import { SessionData } from '../store/session-data.ts'
import { tableNames } from '../store/tables.ts'

/** The version of the form of saved states; states with a higher one are rejected. */
const FORMAT = 1

const hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a fingerprint of 64 hexadecimal digits')
const flag = z.boolean('must be true or false')
const future = z.enum(['still', 'living'], 'must be still or living')

/** A session as one JSON document: a further part of a session gets a field here and in the two functions below. */
export const SavedState = z.strictObject({
  about: z.string().max(1_000).optional(),
  format: z.literal(FORMAT),
  /** The package version that saved it. */
  version: z.string().max(100),
  /** The inputs of the dataset, and a hash of what they gave. */
  dataset: z.strictObject({
    seed: datasetOptions.seed.unwrap(),
    size: z.int().min(3).max(100_000),
    fixture: z.string().min(1).max(1_000),
    fixtureContent: z.record(z.string(), z.unknown()).optional(),
    now: utcDateTime,
    clock: z.enum(['frozen', 'system'], 'must be frozen or system'),
    future: z.literal('living').optional(),
    fingerprint: hash,
  }),
  /** The session's time; without a move, a frozen clock stands at the dataset's `now`. */
  clock: z.strictObject({
    now: utcDateTime,
    isMoved: flag,
    tick: Tick.optional(),
    rate: z.number().positive().max(1_000_000).optional(),
  }),
  /** Whether the session's data changes with time, if it differs from the dataset. */
  future: future.optional(),
  /** A hash of the data at the session's time, if time has changed it. */
  fingerprint: hash.optional(),
  /** The assumptions that differ from the defaults. */
  assumptions: PartialSettings,
  faults: SavedFaults,
  scenarios: SavedScenarios.optional(),
  /** The ids of the next new records, where they do not follow from the data. */
  nextIds: z.partialRecord(z.enum(tableNames), z.int().positive()),
  /** Order: by table, then by id. */
  changes: ChangeList,
})

/** A session as one JSON document. */
export type SavedState = z.output<typeof SavedState>

/** Validates a saved state. @throws SandboxError `invalid_request` that names each invalid field */
export function parseState(input: unknown): SavedState {
  if (!isShallow(input, MAX_DEPTH)) throw invalidRequest([{ in: 'body', name: '', message: nestedTooDeep }])
  const { format } = z.looseObject({ format: z.unknown() }).safeParse(input).data ?? {}
  if (!Number.isInteger(format)) throw invalidFormat('is missing, so this is not a saved state')
  if (Number(format) > FORMAT)
    throw invalidFormat(`is ${String(format)}, and this version knows formats up to ${FORMAT}`)
  const state = parseInput(SavedState, input)
  const duplicate = findOddChange(state.changes)
  if (duplicate) throw invalidRequest([{ in: 'body', ...duplicate }])
  return state
}

const invalidFormat = (message: string): SandboxError =>
  invalidRequest([{ in: 'body', name: 'format', message }])

/** The options that a state's dataset is made from. */
export function toDatasetOptions({ dataset }: SavedState): DatasetOptions {
  const { seed, size, fixture, fixtureContent, now, clock, future: mode } = dataset
  return {
    seed,
    size,
    fixture: fixtureContent ?? fixture,
    now: clock === 'system' ? clock : now,
    future: mode ?? 'still',
  }
}

/** The options of a sandbox that starts from a state. */
interface StateStart {
  readonly options: DatasetOptions
  readonly startTime: string
  /** How much faster than the machine's time its clock ran. */
  readonly rate: number | undefined
}

/**
 * Resolves the options of a sandbox that starts from a state: given ones take precedence.
 * @throws SandboxError `invalid_request`; `conflict` if the given ones make another dataset
 */
export function resolveStart(input: unknown, given: DatasetOptions): StateStart {
  const state = parseState(input)
  const own = Object.fromEntries(
    Object.entries(parseDatasetOptions(given)).filter(([, value]) => value !== undefined),
  )
  const options: DatasetOptions = { ...toDatasetOptions(state), ...own }
  checkDataset(state, resolveDatasetKey(options, undefined, state.dataset.now))
  return { options, startTime: state.dataset.now, rate: state.clock.rate }
}

/** Throws if a dataset was made from other inputs than a state's. @throws SandboxError `conflict` that names them */
export function checkDataset(state: SavedState, key: DatasetKey): void {
  const differences = listDifferences(toDatasetOptions(state), key)
  if (key.now !== state.dataset.now && differences.length === 0) differences.push(`now ${state.dataset.now}`)
  if (differences.length === 0) return
  const fact = `it was saved over a dataset with ${differences.join(', ')}`
  const advice = 'Start a sandbox with --state, or with these options.'
  throw new SandboxError(
    'conflict',
    `Cannot restore the state: ${fact}, which this sandbox does not have. ${advice}`,
  )
}

/** Creates the error for data that another version has made. */
export function otherData(state: SavedState): SandboxError {
  const fact = `it was saved by version ${state.version}, whose data differ from those of version ${version}`
  return new SandboxError(
    'conflict',
    `Cannot restore the state: ${fact}. Use version ${state.version}, or make the state anew.`,
  )
}

/** The sandbox that a session is saved from, or restored to. */
export interface StateContext {
  readonly dataset: Dataset
  readonly rate: number | undefined
  /** The settings of sessions without overrides. */
  readonly settings: Settings
  readonly fingerprint: (dataset: Dataset) => Promise<string>
}

/** Saves a session, without its journal. */
export async function saveState(session: Session, context: StateContext): Promise<SavedState> {
  const { dataset, rate, fingerprint } = context
  const present = session.data.dataset
  const { data, clock, faults, scenarios, settings, tick, future: mode } = session.snapshot()
  const changed = choiceNames.filter((name) => toText(settings[name]) !== toText(defaultSettings[name]))
  const state = {
    clock: {
      now: session.clock.now(),
      isMoved: clock !== undefined,
      ...(tick && { tick }),
      ...(rate !== undefined && { rate }),
    },
    ...(mode && { future: mode }),
    assumptions: Object.fromEntries(changed.map((name) => [name, settings[name]])),
    faults: saveFaults(faults),
    ...(scenarios && { scenarios: saveScenarios(scenarios) }),
    nextIds: Object.fromEntries(
      tableNames.flatMap((name) => {
        const id = data.nextIds.get(name)
        return id === undefined ? [] : [[name, id]]
      }),
    ),
    changes: data.overlay.list().toSorted(compareChanges),
  }
  return {
    about:
      'A session of workspace-sandbox. Start from it with --state FILE, or send it to PUT /_sandbox/state.',
    format: FORMAT,
    version,
    dataset: { ...saveKey(dataset.key), fingerprint: await fingerprint(dataset) },
    ...(present.isMoment && { fingerprint: await fingerprint(present) }),
    ...state,
  }
}

function saveKey({ fixtureContent, ...key }: DatasetKey): Omit<SavedState['dataset'], 'fingerprint'> {
  return { ...key, ...(isObject(fixtureContent) && { fixtureContent: { ...fixtureContent } }) }
}

const toText = (value: unknown): string => JSON.stringify(value)

const order = new Map(tableNames.map((name, index) => [name, index]))

const compareChanges = (a: Change, b: Change): number =>
  (order.get(a.table) ?? 0) - (order.get(b.table) ?? 0) || a.id - b.id

/** Creates the snapshot that a state describes. @throws SandboxError `invalid_request`, `conflict` */
export function loadState(
  state: SavedState,
  present: Dataset,
  { dataset, rate, settings: start }: StateContext,
): SessionSnapshot {
  const isRunning = dataset.key.clock === 'system'
  const { clock, assumptions, changes, nextIds, faults, scenarios } = state
  if (isRunning && clock.rate !== rate) {
    const fact = `its clock runs at rate ${clock.rate ?? 1}, and that of this sandbox at rate ${rate ?? 1}`
    throw new SandboxError('conflict', `Cannot restore the state: ${fact}. Start with --clock-rate.`)
  }
  const overlay = new Overlay()
  for (const change of changes) overlay.set(change)
  checkChanges(changes, overlay, present, dataset)
  const settings = withSettings(defaultSettings, assumptions)
  const isDefault = choiceNames.every((name) => toText(settings[name]) === toText(start[name]))
  return {
    data: {
      overlay,
      nextIds: new Map(
        tableNames.flatMap((name) => {
          const id = nextIds[name]
          return id === undefined ? [] : [[name, id]]
        }),
      ),
    },
    // A running clock is set when the state is restored, because it counts from the machine's time.
    clock: clock.isMoved && !isRunning ? { at: new Date(clock.now).toISOString() } : undefined,
    faults: faults.count === 0 ? undefined : loadFaults(faults),
    scenarios: scenarios && loadScenarios(scenarios),
    settings: isDefault ? start : settings,
    future: state.future,
    tick: clock.tick,
  }
}

/** Rejects changes with references to records that exist neither at the session's time nor at the dataset's. */
function checkChanges(
  changes: readonly Change[],
  overlay: Overlay,
  present: Dataset,
  dataset: Dataset,
): void {
  const lookups = [present, dataset].map((base) => {
    const data = new SessionData(() => base)
    data.restore({ overlay, nextIds: new Map() })
    return createLookup(data, base.organizations)
  })
  for (const [index, { table, row }] of changes.entries()) {
    if (!row) continue
    const found = lookups.map((lookup) => [...checkReferences(table, row, lookup)])
    const error = found.some((errors) => errors.length === 0) ? undefined : found[0]?.[0]
    if (!error) continue
    const name = `changes[${index}].row.${error.path}`
    throw invalidRequest([{ in: 'body', name, message: error.message }])
  }
}
