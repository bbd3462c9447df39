import { createTexts } from '../../seed/dataset/long-texts.ts'
import { systemTime } from '../core/system-clock.ts'
import { version } from '../core/version.ts'
import {
  checkRate,
  createMismatchError,
  type DatasetOptions,
  listDifferences,
  parseDatasetOptions,
  resolveDatasetKey,
} from '../store/dataset-options.ts'
import { createDataset } from '../store/dataset.ts'
import { generateDataset, storeDataset, openMoments } from './generate-dataset.ts'
import { SandboxState, type StateOptions } from './sandbox-state.ts'

/**
 * Opens the state with the stored dataset, or with a new one if nothing is stored.
 * @param advice what to do if the stored dataset was made with other options
 * @throws SandboxError `conflict` if it was, `invalid_request` for invalid options or fixtures
 */
export async function openState(
  input: DatasetOptions,
  parts: StateOptions,
  advice: string | undefined,
): Promise<SandboxState> {
  const options = parseDatasetOptions(input)
  const { storage, clockRate } = parts
  const stored = await storage.load()
  if (!stored) {
    const key = checkRate(clockRate, resolveDatasetKey(options, undefined, parts.startTime ?? systemTime()))
    const dataset = await generateDataset(key)
    await storeDataset(dataset, parts, {})
    return new SandboxState(dataset, parts, await openMoments(dataset))
  }
  const { seeded, changes, clock, leftOut } = stored
  const differences = listDifferences(options, seeded.key)
  const hasOptions = Object.values(options).some((value) => value !== undefined)
  if (hasOptions && seeded.version !== version) differences.push(`a dataset of version ${version}`)
  if (differences.length > 0) throw createMismatchError(seeded, differences, advice)
  const key = checkRate(clockRate, seeded.key)
  const dataset = seeded.isPending
    ? await generateDataset(key)
    : createDataset(
        key,
        { ...seeded, generatedBy: seeded.isEdited ? undefined : seeded.version },
        createTexts(key.seed),
      )
  const state = new SandboxState(dataset, parts, await openMoments(dataset), leftOut)
  state.defaultSession.data.load(changes)
  if (clock) state.defaultSession.clock.restore(clock)
  state.defaultSession.begin()
  if (seeded.isPending && !parts.completesLater) await state.complete()
  return state
}
