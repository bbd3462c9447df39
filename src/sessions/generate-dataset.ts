import { loadContent, loadFixture } from '../../seed/dataset/content.ts'
import { createTexts } from '../../seed/dataset/long-texts.ts'
import { importSequentially } from '../core/import-sequentially.ts'
import { getOrCreate } from '../core/maps.ts'
import { version } from '../core/version.ts'
import { Moments } from '../lab/living/moments.ts'
import type { Commit } from '../store/change.ts'
import { createDataset, type Dataset, type DatasetKey } from '../store/dataset.ts'
import { toChange } from '../store/differences.ts'
import type { Storage } from '../store/disk/storage.ts'
import { createLookup } from '../store/references.ts'
import { SessionData } from '../store/session-data.ts'
import { forEachTable, type Row, type TableName } from '../store/tables.ts'

const KEPT = 2

const MAX_KEPT_SIZE = 1_000

/** The size up to which the rows of a dataset are stored; beyond it they follow from its key. Units: customers. */
const MAX_STORED_SIZE = 1_000

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

export async function storeDataset(
  dataset: Dataset,
  storage: Storage,
  commits: readonly Commit[] = [],
  apply?: () => void,
): Promise<void> {
  const { key, organizations } = dataset
  const hasRows = !storage.isVolatile && key.size <= MAX_STORED_SIZE
  if (hasRows) await dataset.complete()
  const rows = hasRows ? dataset.rows : undefined
  await storage.replace({ version, key, organizations, rows }, commits, apply)
}

/** Loads the events after a dataset's time. Records of its fixture stand still, unless the fixture lets them live. */
export async function loadMoments(dataset: Dataset): Promise<Moments> {
  const { key, organizations } = dataset
  const [{ createFuture }, { records, timeline }] = await Promise.all([
    importSequentially(() => import('../../seed/index.ts')),
    loadFixture(key.fixture, key.fixtureContent),
    dataset.complete(),
  ])
  const data = createLookup(new SessionData(() => dataset), organizations)
  const changed = new SessionData(() => dataset)
  const future = createFuture({
    seed: key.seed,
    now: key.now,
    data,
    draft: {
      ...createLookup(changed, organizations),
      put: (table, id, row) => changed.load([toChange(table, id, row)]),
    },
    rows: (table) => dataset.rows[table],
    listCustomerRows: groupByCustomer(dataset),
    isStatic: (table, id) => {
      const record = records[table].get(id)
      return record !== undefined && record.lives !== true
    },
    timeline,
    fixture: key.fixture,
  })
  return new Moments(dataset, future)
}

export async function openMoments(dataset: Dataset): Promise<Moments | undefined> {
  return dataset.key.future === 'living' ? loadMoments(dataset) : undefined
}

type Groups = { readonly [T in TableName]: Map<number, Row<T>[]> }

function groupByCustomer({ rows }: Dataset) {
  const groups = forEachTable<Groups>(() => new Map())
  const grouped = new Set<TableName>()
  return <T extends TableName>(table: T, customerId: number): readonly Row<T>[] => {
    const byCustomer = groups[table]
    if (!grouped.has(table)) {
      grouped.add(table)
      for (const row of rows[table]) {
        if (!('customerId' in row)) continue
        getOrCreate(byCustomer, row.customerId, () => []).push(row)
      }
    }
    return byCustomer.get(customerId) ?? []
  }
}
