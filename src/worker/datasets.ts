import { generateDataset } from '../sandbox/state.ts'
import type { Dataset, DatasetKey } from '../store/dataset.ts'

/** How many datasets an isolate keeps; more than one only if the clock runs, since each day then has its own. */
const KEPT = 2

const datasets = new Map<string, Promise<Dataset>>()

/** Generates the dataset of a key once for all objects of this isolate. */
export function generateOnce(key: DatasetKey): Promise<Dataset> {
  const name = JSON.stringify(key)
  const known = datasets.get(name)
  if (known) return known
  const dataset = generateDataset(key)
  datasets.set(name, dataset)
  dataset.catch(() => datasets.delete(name))
  for (const oldest of datasets.keys()) {
    if (datasets.size <= KEPT) break
    datasets.delete(oldest)
  }
  return dataset
}
