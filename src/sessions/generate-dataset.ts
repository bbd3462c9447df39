import { loadContent } from '../../seed/dataset/content.ts'
import { createTexts } from '../../seed/dataset/long-texts.ts'
import { hasMoreValues } from '../core/json.ts'
import { RecentMap } from '../core/maps.ts'
import { version } from '../core/version.ts'
import type { Commit } from '../store/change.ts'
import type { DatasetKey } from '../store/dataset-key.ts'
import { createDataset, type Dataset } from '../store/dataset.ts'
import type { Storage } from '../store/disk/storage.ts'

const MAX_KEPT_SIZE = 1_000

const MAX_KEPT_VALUES = 50_000

/** The size up to which the rows of a dataset are stored; beyond it they follow from its key. Units: customers. */
const MAX_STORED_SIZE = 1_000

const datasets = new RecentMap<Promise<Dataset>>(2)

/** Generates the dataset of a key, or returns one of the latest, which sandboxes share: nothing in it ever changes. */
export function generateDataset(key: DatasetKey): Promise<Dataset> {
  if (key.size > MAX_KEPT_SIZE || hasMoreValues(key.fixtureContent, MAX_KEPT_VALUES)) return generate(key)
  const name = JSON.stringify(key)
  const dataset = datasets.get(name) ?? generate(key)
  datasets.set(name, dataset)
  dataset.catch(() => datasets.delete(name))
  return dataset
}

async function generate(key: DatasetKey): Promise<Dataset> {
  return createDataset(key, { ...(await loadContent(key)), generatedBy: version }, createTexts(key.seed))
}

export async function storeDataset(
  dataset: Dataset,
  storage: Storage,
  commits: readonly Commit[] = [],
  apply?: () => void,
): Promise<void> {
  const { key, organizations, formatted } = dataset
  const hasRows = !storage.isVolatile && key.size <= MAX_STORED_SIZE
  if (hasRows && !formatted) await dataset.complete()
  const rows = hasRows ? dataset.rows : undefined
  await storage.replace({ version, key, organizations, rows, formatted }, commits, apply)
}
