import { loadFixture } from '../../../seed/dataset/content.ts'
import { importSequentially } from '../../core/import-sequentially.ts'
import { addTo } from '../../core/maps.ts'
import type { Dataset } from '../../store/dataset.ts'
import { SessionData } from '../../store/session-data.ts'
import { forEachTable, type Row, type TableName, toChange } from '../../store/tables.ts'
import { Moments } from './moments.ts'

/** Loads the events after a dataset's time. Records of its fixture stand still, unless the fixture lets them live. */
export async function loadMoments(dataset: Dataset): Promise<Moments> {
  const { key } = dataset
  const [{ createFuture }, { records, timeline }] = await Promise.all([
    importSequentially(() => import('../../../seed/index.ts')),
    loadFixture(key.fixture, key.fixtureContent),
    dataset.complete(),
  ])
  const data = new SessionData(() => dataset)
  const draft = data.draft()
  const future = createFuture({
    seed: key.seed,
    now: key.now,
    data,
    draft: Object.assign(draft, {
      put: (table: TableName, id: number, row: Row<TableName> | null) =>
        draft.load([toChange(table, id, row)], true),
    }),
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
        addTo(byCustomer, row.customerId, row)
      }
    }
    return byCustomer.get(customerId) ?? []
  }
}
