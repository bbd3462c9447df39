import * as z from 'zod'

import { utcDateTime } from '../contract/fields.ts'
import { isObject } from '../contract/json.ts'
import { choiceNames, defaultSettings, PartialSettings } from '../contract/settings.ts'
import { version } from '../contract/version.ts'
import { SavedFaults, saveFaults } from '../faults/saved-faults.ts'
import { SavedScenarios, saveScenarios } from '../scenarios/saved-scenarios.ts'
import type { Session } from '../sessions/session.ts'
import { Tick } from '../sessions/tick.ts'
import { datasetOptions } from '../store/dataset-options.ts'
import type { Dataset, DatasetKey } from '../store/dataset.ts'
import type { Change } from '../store/documents.ts'
import { ChangeList } from '../store/formats.ts'
import { tableNames } from '../store/tables.ts'

/** The version of the form of saved states; states with a higher one are rejected. */
export const FORMAT = 1

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

/** The sandbox that a session is saved from. */
export interface StateContext {
  readonly dataset: Dataset
  readonly rate: number | undefined
  /** Returns the hash of a dataset. */
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
