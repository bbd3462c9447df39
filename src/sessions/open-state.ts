import { loadFixture } from '../../seed/dataset/content.ts'
import { createTexts } from '../../seed/dataset/long-texts.ts'
import { SandboxError } from '../core/errors.ts'
import { runAtOnce } from '../core/slices.ts'
import { systemTime } from '../core/system-clock.ts'
import { version } from '../core/version.ts'
import { createDataset } from '../store/dataset.ts'
import { findDangling } from '../store/references.ts'
import {
  checkRate,
  type DatasetOptions,
  listDifferences,
  parseDatasetOptions,
  resolveDatasetKey,
} from './dataset-options.ts'
import { generateDataset, storeDataset } from './generate-dataset.ts'
import { openMoments, SandboxState, type StateOptions } from './sandbox-state.ts'

/**
 * Opens the state with the stored dataset, or with a new one if nothing is stored.
 * @param advice what to do if the stored dataset was made with other options
 * @throws SandboxError `conflict` if it was, `invalid_request` for invalid options or fixtures
 */
export async function openState(
  input: DatasetOptions,
  parts: StateOptions,
  advice = 'Run reseed with the options that you want, or choose another folder with the option data.',
): Promise<SandboxState> {
  const options = await parseDatasetOptions(input)
  const { storage, clockRate } = parts
  const stored = await storage.load()
  if (!stored) {
    const key = checkRate(clockRate, resolveDatasetKey(options, undefined, parts.startTime ?? systemTime()))
    const dataset = await generateDataset(key)
    const moments = await openMoments(dataset, parts)
    await storeDataset(dataset, storage)
    return new SandboxState(dataset, parts, moments)
  }
  const { dataset: file, commits, warnings, nameDataset = (error: unknown) => error } = stored
  const refuse = (error: unknown): never => {
    throw nameDataset(error)
  }
  const differences = listDifferences(options, file.key)
  const hasOptions = Object.values(options).some((value) => value !== undefined)
  // Another version may generate other rows, if they are not stored.
  if ((hasOptions || !file.rows) && file.version !== version)
    differences.push(`a dataset of version ${version}`)
  if (differences.length > 0) {
    // No reseed would take an unknown name.
    if (typeof options.fixture === 'string') await loadFixture(options.fixture, undefined)
    const { seed, size, fixture, now } = file.key
    const made = `seed ${seed}, size ${size}, fixture ${fixture}, now ${now}, version ${file.version}`
    const fact = `it was made with ${made}, but you requested ${differences.join(', ')}`
    throw new SandboxError('conflict', `Cannot use this data: ${fact}. ${advice}`)
  }
  const key = checkRate(clockRate, file.key)
  const generatedBy = file.isEdited ? undefined : file.version
  const dataset = file.rows
    ? createDataset(key, { ...file, rows: file.rows, generatedBy }, createTexts(key.seed))
    : await generateDataset(key).catch(refuse)
  const moments = await openMoments(dataset, parts).catch(refuse)
  const notes = [...warnings]
  const state = new SandboxState(dataset, parts, moments, notes)
  const { data, clock } = state.defaultSession
  const changes = commits.flatMap((commit) => commit.changes)
  data.load(changes)
  // Somebody may have edited them. Time may have brought the records that a living dataset lacks.
  const isFixed = file.rows && key.future !== 'living'
  const dangling = isFixed && runAtOnce(findDangling(changes, data))
  if (dangling && stored.toError) throw stored.toError(dangling)
  const last = commits.at(-1)
  clock.state = last?.clock
  const now = clock.now()
  if (last && clock.isRunning && last.at > now) {
    clock.state = clock.stateAt(last.at)
    const fact = `would be at ${now}, before its latest change, so it continues from ${last.at}`
    const reason = "The machine's clock has gone back, or the clock rate is another."
    notes.push(`The clock of this sandbox ${fact}. ${reason}`)
  }
  state.defaultSession.begin()
  return state
}
