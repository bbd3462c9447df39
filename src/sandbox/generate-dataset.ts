import { contentOf } from '../../seed/content.ts'
import { createTexts } from '../../seed/texts.ts'
import { createDataset, type Dataset, type DatasetKey } from '../store/dataset.ts'

/** How many datasets are kept for other sandboxes of this process. */
const KEPT = 2

/** The largest tenant that is kept for others. Units: customers. */
const MAX_KEPT_SIZE = 1_000

/** Order: the latest last. */
const datasets = new Map<string, Promise<Dataset>>()

/** Generates the dataset of a key, or returns one of the latest, which sandboxes share: nothing in it ever changes. */
export function generateDataset(key: DatasetKey): Promise<Dataset> {
  if (key.size > MAX_KEPT_SIZE) return generate(key)
  const name = JSON.stringify(key)
  const dataset = datasets.get(name) ?? generate(key)
  datasets.delete(name)
  datasets.set(name, dataset)
  dataset.catch(() => datasets.delete(name))
  const [oldest = ''] = datasets.keys()
  if (datasets.size > KEPT) datasets.delete(oldest)
  return dataset
}

async function generate(key: DatasetKey): Promise<Dataset> {
  return createDataset(key, await contentOf(key), createTexts(key.seed))
}
