import { loadContent } from '../../seed/dataset/content.ts'
import { createTexts } from '../../seed/dataset/long-texts.ts'
import { version } from '../core/version.ts'
import type { Replacement } from '../disk/database.ts'
import { noRows } from '../disk/documents.ts'
import type { Storage } from '../disk/storage.ts'
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
  return createDataset(key, { ...(await loadContent(key)), generatedBy: version }, createTexts(key.seed))
}

/** Stores a dataset with changes, then calls `apply`. @throws SandboxError `storage_full`, `storage_unavailable` */
export async function storeDataset(
  dataset: Dataset,
  { storage, completesLater }: { readonly storage: Storage; readonly completesLater?: boolean | undefined },
  changes: Partial<Pick<Replacement, 'changes' | 'clock'>>,
  apply?: () => void,
): Promise<void> {
  const { key, organizations } = dataset
  const isPending = storage.isVolatile || completesLater === true
  if (!isPending) await dataset.complete()
  const rows = isPending ? { rows: noRows, isPending } : { rows: dataset.rows }
  await storage.replace({ version, key, organizations, ...rows, ...changes }, apply)
}
