import { expect, it } from 'vitest'

import type { Delta } from '../../src/living/differences.ts'
import type { Future, FutureState } from '../../src/living/moments.ts'
import type { Dataset } from '../../src/store/dataset.ts'
import type { Table } from '../../src/store/table.ts'
import { forEachTable, type Row, type TableName, tableNames } from '../../src/store/tables.ts'
import { type Reader, withLongText } from '../../src/store/texts.ts'
import { chooseAmount } from '../reliability/figures.ts'
import { daysLater, generateLiving, type LivingTenant, openLiving, reopen } from './living-support.ts'

/** A tenant at a time, and what happens to it from then on. */
interface Present {
  readonly future: Future
  readonly state: FutureState
  readonly tables: Dataset['tables']
}

const [before, between, after] = [170, 300, 460]

/** Lets time pass for a tenant. */
function readPresent({ moments }: LivingTenant, days: number): Present {
  const { tables } = moments.at(daysLater(days))
  return { ...moments.startAt(Date.parse(daysLater(days))), tables }
}

/** Goes on from a time, and returns the changes in their order. */
function advance({ future, state, tables }: Present, days: number): Present & { readonly changes: Delta } {
  const step = future.advance(state, Date.parse(daysLater(days)))
  const changed = forEachTable<Dataset['tables']>((name) => changeTable(tables[name], step.changes[name]))
  return { future, state: step.state, tables: changed, changes: step.changes }
}

const changeTable = <T extends TableName>(
  table: Table<T>,
  changes: ReadonlyMap<number, Row<T> | null> | undefined,
): Table<T> => (changes ? table.withRows(changes) : table)

/** Saves a tenant as text, and loads it into one that was just opened. Rows of the dataset are not part of the text. */
async function saveAndLoad(tenant: LivingTenant, present: Present): Promise<Present> {
  const { dataset } = tenant
  const text = JSON.stringify({
    state: present.future.save(present.state),
    rows: tableNames.map((name) => listChanges(dataset.tables[name], present.tables[name])),
  })
  const { state, rows }: { state: unknown; rows: [number, never][][] } = JSON.parse(text)
  const { moments } = await reopen(tenant)
  const { future } = moments.startAt(Date.parse(dataset.key.now))
  const tables = forEachTable<Dataset['tables']>((name) =>
    changeTable(dataset.tables[name], new Map(rows[tableNames.indexOf(name)])),
  )
  return { future, state: future.load(state, createReader(tables)), tables }
}

/** Lists the rows that differ from the dataset, by id; null for those that are gone. */
function listChanges<T extends TableName>(original: Table<T>, present: Table<T>): [number, Row<T> | null][] {
  const changed = present.rows.filter((row) => row !== original.get(row.id))
  const gone = original.rows.filter(({ id }) => !present.get(id))
  return [
    ...changed.map((row): [number, Row<T>] => [row.id, row]),
    ...gone.map(({ id }): [number, null] => [id, null]),
  ]
}

const createReader = (tables: Dataset['tables']): Reader => ({ get: (name, id) => tables[name].get(id) })

/** Reads every row with its long text, as a session sees it that has renamed every third customer. */
function readRows({ future, tables }: Present): unknown {
  const moment = createReader(tables)
  const texts = future.texts(moment)
  const data: Reader = {
    get: (name, id) => {
      const row = moment.get(name, id)
      return row && name === 'customers' && id % 3 === 0 ? { ...row, name: 'Tern & Co' } : row
    },
  }
  return tableNames.map((name) => tables[name].rows.map((row) => withLongText(name, row, texts, data)))
}

/** Lists changes in their order. */
const listRows = (changes: Delta): unknown =>
  tableNames.map((name) => [name, [...(changes[name] ?? new Map<number, unknown>())]])

const customerId = 901
const scripted = {
  name: 'scripted',
  lives: true,
  customers: [
    { id: 900, name: 'Wren Ltd', segment: 'Enterprise' },
    { id: customerId, name: 'Tern & Co' },
  ],
  signals: [70_001, 70_002].map((id) => ({ id, customerId, status: 'open' })),
  timeline: [
    { at: 'now+20d', signals: [{ id: 70_000, customerId }], meetings: [{ id: 70_000, customerId }] },
    { at: 'now+150d', customers: [{ id: 900, segment: 'SMB' }], signals: [{ id: 70_001, severity: 1 }] },
    { at: 'now+160d', delete: { signals: [70_002] } },
    { at: 'now+200d', signals: [{ id: 70_000, severity: 5 }], delete: { meetings: [70_000] } },
    { at: 'now+310d', delete: { customers: [900] } },
  ],
}
const fixtures = [
  { fixture: 'default' },
  { fixture: 'edge-cases' },
  { fixture: 'scripted', fixtureContent: scripted },
]

const sizes = chooseAmount([25], [3, 25, 75])
const seeds = chooseAmount([42], [1, 42, 2026])
const tenants = seeds.flatMap((seed) =>
  sizes.flatMap((size) => fixtures.map((fixture) => ({ seed, size, ...fixture }))),
)

it.each(tenants)(
  'goes on from a saved state as if it had never been saved: seed $seed, size $size, fixture $fixture',
  async (options) => {
    const tenant = await generateLiving(options)
    const present = readPresent(tenant, before)
    const loaded = await saveAndLoad(tenant, present)
    expect(JSON.stringify(readRows(loaded))).toBe(JSON.stringify(readRows(present)))
    const [next, nextLoaded] = [advance(present, between), advance(loaded, between)]
    expect(JSON.stringify(listRows(nextLoaded.changes))).toBe(JSON.stringify(listRows(next.changes)))
    const [last, again] = [advance(next, after), advance(await saveAndLoad(tenant, nextLoaded), after)]
    expect(JSON.stringify(listRows(again.changes))).toBe(JSON.stringify(listRows(last.changes)))
    expect(again.future.save(again.state)).toEqual(last.future.save(last.state))
    expect(JSON.stringify(readRows(again))).toBe(JSON.stringify(readRows(last)))
  },
)

it('does not load a state of records that the timeline of a fixture has changed after they came', async () => {
  const { tables } = readPresent(await openLiving(42, 25), before)
  const { id = 0 } = tables.briefContents.rows[0] ?? {}
  expect(id).toBeGreaterThan(1e12)
  const fixtureContent = { timeline: [{ at: `now+${between}d`, briefContents: [{ id, content: 'None.' }] }] }
  const tenant = await generateLiving({ size: 25, fixture: 'scripted', fixtureContent })
  const present = readPresent(tenant, before)
  const loaded = await saveAndLoad(tenant, present)
  expect(JSON.stringify(readRows(loaded))).toBe(JSON.stringify(readRows(present)))
  await expect(saveAndLoad(tenant, advance(present, between))).rejects.toThrow(
    `record ${id} of briefContents`,
  )
})

interface Saved {
  readonly customers: readonly {
    readonly id: number
    readonly agenda: readonly { readonly atMs: number }[]
  }[]
  readonly offices: readonly unknown[]
  readonly steps: number
}

it.each<readonly [problem: string, change: (saved: Saved) => unknown]>([
  ['is no state', () => 'nothing'],
  ['has a field of another version', (saved) => ({ ...saved, lives: [] })],
  ['has another organization', (saved) => ({ ...saved, offices: saved.offices.slice(1) })],
  ['has more steps than the fixture', (saved) => ({ ...saved, steps: 1 })],
  ['has a customer that is gone', (saved) => changeCustomer(saved, { id: 25_000 })],
  ['has a record that is gone', (saved) => changeCustomer(saved, { slots: { notes: [8] } })],
  ['has a change of a record that is gone', (saved) => changeCustomer(saved, { changed: { notes: [8] } })],
  ['has a contract that is gone', (saved) => changeCustomer(saved, { starts: [0, 0, 0, 0, 0, 0, 0, 0, 0] })],
  ['has nothing to come', (saved) => changeCustomer(saved, { agenda: [] })],
  ['has an unknown event', (saved) => changeCustomer(saved, { agenda: [{ atMs: 0, event: 'pulse' }] })],
  [
    'has events out of order',
    (saved) => changeCustomer(saved, { agenda: saved.customers[0]?.agenda.toReversed() }),
  ],
])('rejects a saved state that %s', async (_, change) => {
  const { future, state, tables } = readPresent(await openLiving(42, 25), 30)
  const saved = JSON.parse(JSON.stringify(future.save(state)))
  expect(() => future.load(saved, createReader(tables))).not.toThrow()
  expect(() => future.load(change(saved), createReader(tables))).toThrow(/./)
})

const changeCustomer = ({ customers: [first, ...others], ...rest }: Saved, fields: object): unknown => ({
  ...rest,
  customers: [{ ...first, ...fields }, ...others],
})
