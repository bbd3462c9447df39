import * as z from 'zod'

import { defaultSettings, listDifferences as listOverridden, withSettings } from '../contract/settings.ts'
import { type FieldError, invalidField, SandboxError } from '../core/errors.ts'
import { toJsonInSteps } from '../core/exact-json.ts'
import { parseInput } from '../core/issues.ts'
import { isObject, removeUndefined } from '../core/json.ts'
import { mapInSlices, runInSlices, type Steps } from '../core/slices.ts'
import { parseInSteps } from '../core/validate-in-steps.ts'
import { version } from '../core/version.ts'
import type { ClockMove } from '../store/change.ts'
import type { DatasetKey, FutureMode } from '../store/dataset-key.ts'
import type { Dataset } from '../store/dataset.ts'
import { History } from '../store/history.ts'
import { Overlay } from '../store/overlay.ts'
import { findDangling } from '../store/references.ts'
import { SessionData } from '../store/session-data.ts'
import type { Change } from '../store/tables.ts'
import { type ClockSource, SessionClock } from './clock.ts'
import {
  type DatasetOptions,
  listDifferences,
  parseDatasetOptions,
  resolveDatasetKey,
  toDatasetOptions,
} from './dataset-options.ts'
import { fingerprint } from './fingerprint.ts'
import { loadFaults, saveFaults, loadScenarios, saveScenarios, FORMAT, SavedSession } from './saved-state.ts'
import type { Session, SessionSnapshot, Shared } from './session.ts'

export async function saveState(
  session: Session,
  { dataset, clockRate: rate }: ClockSource,
): Promise<SavedSession> {
  const { fixtureContent, ...key } = dataset.key
  const present = session.data.dataset
  const { data, clock, faults, scenarios, settings, tick, future: mode } = session.snapshot()
  const changed = listOverridden(settings, defaultSettings)
  // Read before the fingerprints are awaited.
  const state = {
    clock: {
      now: session.clock.now(),
      isMoved: clock !== undefined,
      ...(tick && { tick }),
      ...(rate !== undefined && { rate }),
    },
    ...(mode && mode !== (dataset.key.future ?? 'still') && { future: mode }),
    assumptions: Object.fromEntries(changed.map((name) => [name, settings[name]])),
    faults: saveFaults(faults),
    ...(scenarios && { scenarios: saveScenarios(scenarios) }),
    changes: data.overlay.list(),
  }
  return {
    about:
      'A session of workspace-sandbox. Start from it with --state FILE, or send it to PUT /_sandbox/state if it has at most 16 MiB.',
    format: FORMAT,
    version,
    dataset: {
      ...key,
      ...(isObject(fixtureContent) && { fixtureContent: { ...fixtureContent } }),
      fingerprint: await fingerprint(dataset),
    },
    ...(present.isMoment && { fingerprint: await fingerprint(present) }),
    ...state,
  }
}

/** Parses a saved state in slices. Errors: invalid_request that names the fields. */
export async function parseState(input: unknown): Promise<SavedSession> {
  const json = await runInSlices(toJsonInSteps(input))
  const { format } = parseInput(z.looseObject({ format: z.unknown().optional() }), json)
  if (!Number.isInteger(format)) throw invalidField('format', 'is missing, so this is not a saved state')
  if (Number(format) > FORMAT)
    throw invalidField('format', `is ${String(format)}, and this version knows formats up to ${FORMAT}`)
  const state = await runInSlices(parseInSteps(SavedSession, json))
  const odd = await runInSlices(findOddChange(state.changes))
  if (odd) throw invalidField(odd.name, odd.message)
  return state
}

const toOptions = (state: SavedSession): DatasetOptions => ({
  ...toDatasetOptions(state.dataset),
  future: getMode(state),
})

export async function toDatasetKey(state: SavedSession): Promise<DatasetKey> {
  return resolveDatasetKey(await parseDatasetOptions(toOptions(state)), undefined, state.dataset.now)
}

/**
 * Resolves the options of a sandbox that starts from a state: given ones take precedence.
 * @throws SandboxError `invalid_request`; `conflict` if the given ones make another dataset
 */
export async function resolveStart(input: unknown, overrides: DatasetOptions) {
  const state = await parseState(input)
  const definedOptions = removeUndefined(await parseDatasetOptions(overrides))
  const options: DatasetOptions = { ...toOptions(state), ...definedOptions }
  const differences = findDifferences(state, resolveDatasetKey(options, undefined, state.dataset.now))
  const advice = 'Leave the options out that differ, because a state brings its own.'
  if (differences.length > 0) throw otherDataset(differences, advice)
  const rate = options.now === 'system' ? state.clock.rate : undefined
  return { options, startTime: state.dataset.now, rate }
}

function findDifferences(state: SavedSession, key: DatasetKey): string[] {
  const differences = listDifferences({ ...toOptions(state), future: undefined }, key)
  const isOtherTime = key.now !== state.dataset.now && differences.length === 0
  return isOtherTime ? [`now ${state.dataset.now}`] : differences
}

function otherDataset(differences: readonly string[], advice: string): SandboxError {
  const fact = `it was saved over a dataset with ${differences.join(', ')}, which this sandbox does not have`
  return new SandboxError('conflict', `Cannot restore the state: ${fact}. ${advice}`)
}

export async function findMismatch(state: SavedSession, dataset: Dataset): Promise<SandboxError | undefined> {
  const differences = findDifferences(state, dataset.key)
  const advice =
    'Restore it into the default session, which takes its dataset, too, or start with the option state.'
  if (differences.length > 0) return otherDataset(differences, advice)
  return (await fingerprint(dataset)) === state.dataset.fingerprint ? undefined : otherData(state)
}

function otherData(state: SavedSession): SandboxError {
  const [fact, advice] =
    state.version === version
      ? [
          'its options give other data here, so it was saved over a dataset that was edited',
          'Start from the edited data folder, or make the state anew.',
        ]
      : [
          `it was saved by version ${state.version}, whose data differ from those of version ${version}`,
          `Use version ${state.version}, or make the state anew.`,
        ]
  return new SandboxError('conflict', `Cannot restore the state: ${fact}. ${advice}`)
}

export function getMode(state: SavedSession): FutureMode {
  return state.future ?? state.dataset.future ?? 'still'
}

/** @throws SandboxError `conflict` if the state belongs to other data, `invalid_request` for changes that contradict these */
export async function loadState(state: SavedSession, shared: Shared): Promise<SessionSnapshot> {
  const { dataset, moments, contract } = shared
  const start = contract.settings
  const mismatch = await findMismatch(state, dataset)
  if (mismatch) throw mismatch
  const { assumptions, changes, faults, scenarios } = state
  const mode = getMode(state)
  const { now } = state.clock
  if (mode === 'living') await moments?.prepare(now)
  const present = (mode === 'living' && moments?.at(now)) || dataset
  if (state.fingerprint !== undefined && (await fingerprint(present)) !== state.fingerprint)
    throw otherData(state)
  const overlay = new Overlay()
  await mapInSlices(changes, (change) => overlay.set(change))
  const data = new SessionData(() => present)
  data.restore({ overlay, history: new History(), nextIds: new Map() })
  // Records of another time may be missing; rows that refer to them are not there either.
  const dangling = mode === 'still' && (await runInSlices(() => findDangling(changes, data)))
  if (dangling) {
    const index = changes.indexOf(dangling.change)
    throw invalidField(`changes[${index}].row.${dangling.path}`, dangling.message)
  }
  // Finds out which of the rows are there, before a list has to.
  await mapInSlices(changes, ({ table, id }) => data.get(table, id))
  const { present: presenters } = start
  const presented = presenters ? { ...defaultSettings, present: presenters } : defaultSettings
  const settings = withSettings(presented, assumptions)
  const isDefault = listOverridden(settings, start).length === 0
  return {
    dataset,
    data: data.snapshot(),
    clock: loadClock(state, shared, data),
    faults: loadFaults(faults),
    scenarios: scenarios && loadScenarios(scenarios),
    settings: isDefault ? start : settings,
    future: mode === (dataset.key.future ?? 'still') ? undefined : mode,
    tick: state.clock.tick,
  }
}

function loadClock(
  { clock: saved }: SavedSession,
  shared: ClockSource,
  data: SessionData,
): ClockMove | undefined {
  const { clockRate: rate } = shared
  const clock = new SessionClock(shared, () => data)
  if (clock.isRunning && saved.rate !== rate) {
    const fact = `its clock runs at rate ${saved.rate ?? 1}, and that of this sandbox at rate ${rate ?? 1}`
    throw new SandboxError('conflict', `Cannot restore the state: ${fact}. Start with the option clockRate.`)
  }
  return clock.isRunning || saved.isMoved ? clock.stateAt(saved.now) : undefined
}

/** Finds a change that no saved state has: one without a row, or a second one of a record. */
function* findOddChange(changes: readonly Change[]): Steps<Pick<FieldError, 'name' | 'message'> | undefined> {
  const seen = new Map<string, number>()
  for (const [index, { table, id, row }] of changes.entries()) {
    const name = `changes[${index}]`
    if (row === undefined) return { name: `${name}.row`, message: 'is required' }
    const earlier = seen.get(`${table}/${id}`)
    if (earlier !== undefined) return { name, message: `changes the same record as changes[${earlier}]` }
    seen.set(`${table}/${id}`, index)
    yield
  }
  return undefined
}
