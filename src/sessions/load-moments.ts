import { loadFixture } from '../../seed/dataset/content.ts'
import { importSequentially } from '../core/import-sequentially.ts'
import type { Storage } from '../disk/storage.ts'
import { Moments } from '../living/moments.ts'
import type { Dataset } from '../store/dataset.ts'
import { createLookup } from '../store/references.ts'
import { SessionData } from '../store/session-data.ts'
import { forEachTable, type Row, type TableName } from '../store/tables.ts'

/** Loads the events after a dataset's time. Records of its fixture stand still, unless the fixture lets them live. */
export async function loadMoments(dataset: Dataset): Promise<Moments> {
  const { key, organizations } = dataset
  const [{ createFuture }, { records, timeline }] = await Promise.all([
    importSequentially(() => import('../../seed/index.ts')),
    loadFixture(key.fixture, key.fixtureContent),
    dataset.complete(),
  ])
  const future = createFuture({
    seed: key.seed,
    now: key.now,
    data: createLookup(new SessionData(() => dataset), organizations),
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

export async function restoreMoment(moments: Moments, storage: Storage, now: string): Promise<void> {
  const moment = await storage.loadMoment()
  if (!moment || moment.from > now) return
  try {
    moments.load(moment)
  } catch {
    // A moment that does not fit is computed again.
  }
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
        const group = byCustomer.get(row.customerId)
        if (group) group.push(row)
        else byCustomer.set(row.customerId, [row])
      }
    }
    return byCustomer.get(customerId) ?? []
  }
}
