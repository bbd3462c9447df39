import { invalidRequest, SandboxError } from '../../contract/errors.ts'
import { pathText } from '../../contract/issues.ts'
import { isNestedTooDeep, nestedTooDeep } from '../../contract/json.ts'
import { didYouMean } from '../../contract/nearest.ts'
import { forms } from '../../resources/records/index.ts'
import { nouns } from '../../store/references.ts'
import type { Selection } from '../../store/selection.ts'
import { type Row, type TableName, tableNames } from '../../store/tables.ts'
import { writeWhole } from './children.ts'
import { countsOf } from './counts.ts'
import type {
  Arranged,
  Arranger,
  Batch,
  Counts,
  Created,
  ListOptions,
  RecordChange,
  RecordCounts,
  Surroundings,
} from './data.ts'
import { Refusals, type Item, parsedItem } from './item.ts'
import { isObject, mergePatch } from './merge-patch.ts'
import { refuseLostKey, remove } from './referrers.ts'
import { Stage } from './stage.ts'
import { undo } from './undo.ts'
import { check, type Desk, refuseTaken, type Written } from './write.ts'

/** The order in which a batch is written: what others refer to first. */
const writingOrder = new Set<TableName>([
  'memberRoles',
  'customFields',
  'noteCategories',
  'products',
  'productMetrics',
  'briefs',
  'members',
  'customers',
  'automations',
  ...tableNames,
])

/** Gives each session its arranger, always the same. */
export function createArranging<S extends Arranged>(surroundings: Surroundings<S>): (session: S) => Arranger {
  const arrangers = new WeakMap<S, Arranger>()
  return (session) => {
    const arranger = arrangers.get(session) ?? new SessionArranger(session, surroundings)
    arrangers.set(session, arranger)
    return arranger
  }
}

class SessionArranger<S extends Arranged> implements Arranger {
  readonly #session: S
  readonly #surroundings: Surroundings<S>
  /** Ends when the call before has ended: calls are made in the order in which they came. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(session: S, surroundings: Surroundings<S>) {
    this.#session = session
    this.#surroundings = surroundings
  }

  list(table: TableName, { offset = 0, limit, organizationId }: ListOptions = {}) {
    const rows = this.#select(table, organizationId)
    const items = rows.page(offset, limit ?? rows.total).map((row) => this.#shown(table, row))
    return { items, totalCount: rows.total }
  }

  counts(table: TableName, by: string | undefined, organizationId?: string): Counts {
    const { data, contract } = this.#session
    const { total, page } = this.#select(table, organizationId)
    return countsOf(table, by, page(0, total), { data, variant: contract.variantOf(forms[table].shape) })
  }

  get(table: TableName, id: number): object {
    return this.#shown(table, this.#existing(table, id))
  }

  put(table: TableName, id: number | undefined, record: unknown, organizationId?: string): Promise<object> {
    return this.#arrange((desk) => {
      const item = parsedItem(
        { table, id, rest: 'drawn', raw: this.#given(table, record), path: [], organizationId },
        desk.refusals,
      )
      return this.#write(item, desk)
    })
  }

  patch(table: TableName, id: number, patch: unknown): Promise<object> {
    return this.#arrange((desk) => {
      const raw = this.#decoded(table, patched(this.get(table, id), json(patch)))
      const item = parsedItem(
        { table, id, rest: 'kept', raw, path: [], organizationId: undefined },
        desk.refusals,
      )
      return this.#write(item, desk)
    })
  }

  delete(table: TableName, id: number): Promise<RecordCounts> {
    return this.#change((stage) => {
      remove(table, this.#existing(table, id), stage)
      return counted(stage.placed())
    })
  }

  undo(table: TableName, id: number): Promise<RecordCounts> {
    return this.#change((stage) => {
      const isThere = stage.get(table, id) ?? stage.unchanged.get(table, id)
      if (!isThere || !this.#session.data.isChanged(table, id)) {
        throw new SandboxError('not_found', `There is no change of ${nouns[table]} ${id} to undo.`)
      }
      undo(table, id, stage)
      return counted(stage.placed())
    })
  }

  undoAll(): Promise<RecordCounts> {
    const { data } = this.#session
    return this.#alone(() =>
      data.change(() => ({
        changes: data.changes().map(({ table, id }) => ({ table, id })),
        result: counted(this.changes().map(({ collection }) => ({ table: collection }))),
      })),
    )
  }

  create(table: TableName, records: readonly unknown[], organizationId?: string): Promise<object[]> {
    return this.#create(records.map((record, index) => ({ table, record, path: [index], organizationId })))
  }

  async createAll(batch: Batch, organizationId?: string): Promise<Created> {
    const records = Array.from(writingOrder).flatMap((table) =>
      (batch[table] ?? []).map((record, index) => {
        return { table, record, path: [table, index], organizationId }
      }),
    )
    const created = await this.#create(records)
    const of = (table: TableName) => created.filter((_, index) => records[index]?.table === table)
    return Object.fromEntries(tableNames.filter((table) => batch[table]).map((table) => [table, of(table)]))
  }

  #create(
    records: readonly (Pick<Item, 'table' | 'path' | 'organizationId'> & { readonly record: unknown })[],
  ): Promise<object[]> {
    return this.#arrange((desk) => {
      const items = records.flatMap(
        ({ record, ...place }) =>
          parsedItem(
            { ...place, id: undefined, rest: 'drawn', raw: this.#given(place.table, record, place.path) },
            desk.refusals,
          ) ?? [],
      )
      return this.#writeAll(items, desk, refuseTaken)
    })
  }

  changes(): RecordChange[] {
    const { tables } = this.#surroundings.dataset()
    return this.#session.data.changes().flatMap(({ table, id, row }): RecordChange[] => {
      const isOfDataset = tables[table].get(id) !== undefined
      if (row !== null) return [{ collection: table, id, kind: isOfDataset ? 'replaced' : 'created' }]
      return isOfDataset ? [{ collection: table, id, kind: 'deleted' }] : []
    })
  }

  #write(item: Item | undefined, desk: Desk): object {
    const [record = {}] = this.#writeAll(item ? [item] : [], desk)
    return record
  }

  /** Writes items on the stage and checks all of them there. Shape: the record of each item. */
  #writeAll(
    items: readonly Item[],
    desk: Desk,
    admit: (item: Item, stage: Stage) => void = () => undefined,
  ): object[] {
    const { stage, refusals } = desk
    refusals.refuse()
    const written = items.map((item) => {
      admit(item, stage)
      return writeWhole(item, desk)
    })
    for (const each of written.flat()) check(each, desk)
    refusals.refuse()
    for (const placed of stage.placed()) refuseLostKey(placed, stage)
    return written.flatMap(([first]) => (first ? [this.#encoded(first.item.table, shown(first, stage))] : []))
  }

  /** Writes records on a stage and makes them the session's, in one step. */
  #arrange<R>(write: (desk: Desk) => R): Promise<R> {
    return this.#alone(async () => {
      const draft = await this.#surroundings.draft()
      return this.#commit((stage) => {
        const { seed } = this.#surroundings.dataset().key
        return write({ stage, draft, seed, now: this.#session.clock.now(), refusals: new Refusals() })
      })
    })
  }

  /** Changes records on a stage and makes them the session's, in one step. */
  #change<R>(work: (stage: Stage) => R): Promise<R> {
    return this.#alone(() => this.#commit(work))
  }

  #commit<R>(work: (stage: Stage) => R): Promise<R> {
    const { data } = this.#session
    return data.change(() => {
      const stage = new Stage(data, this.#surroundings.dataset)
      const result = work(stage)
      return { changes: stage.commit(), result }
    })
  }

  /** The rows of a collection, or those of one organization. Errors: invalid_request for an unknown one. */
  #select<T extends TableName>(table: T, organizationId: string | undefined): Selection<Row<T>> {
    const known = this.#surroundings.dataset().organizations.map(({ id }) => id)
    if (organizationId !== undefined && !known.includes(organizationId)) {
      const message = `${organizationId} matches no organization. ${didYouMean(organizationId, known)}`
      throw invalidRequest([{ in: 'query', name: 'organizationId', message }])
    }
    const isOwn = (row: Row<T>): boolean => row.organizationId === organizationId
    return this.#session.data.select(table, [], organizationId === undefined ? undefined : isOwn)
  }

  #existing<T extends TableName>(table: T, id: number): Row<T> {
    const row = this.#session.data.get(table, id)
    if (!row) throw new SandboxError('not_found', `There is no ${nouns[table]} ${id}.`)
    return row
  }

  #shown<T extends TableName>(table: T, row: Row<T>): object {
    return this.#encoded(table, forms[table].record(row, this.#session.data))
  }

  /** A record as it would come over HTTP, in the form that rows are made from. */
  #given(table: TableName, record: unknown, path?: readonly PropertyKey[]): unknown {
    return this.#decoded(table, json(record, path))
  }

  /** A record from the form that the session's assumptions give it. */
  #decoded(table: TableName, record: unknown): unknown {
    return this.#session.contract.variantOf(forms[table].shape).decode(record)
  }

  /** A record in the form that the session's assumptions give it. */
  #encoded(table: TableName, record: object): object {
    const encoded = this.#session.contract.variantOf(forms[table].shape).encode(record)
    return isObject(encoded) ? encoded : record
  }

  #alone<R>(call: () => Promise<R>): Promise<R> {
    const release = this.#surroundings.hold(this.#session)
    const result = this.#last.then(call).finally(release)
    this.#last = result.catch(() => undefined)
    return result
  }
}

function shown<T extends TableName>({ item: { table }, among }: Written<T>, stage: Stage): object {
  const row = stage.get(table, among.id)
  return row ? forms[table].record(row, stage.data) : {}
}

function counted(records: readonly { readonly table: TableName }[]): RecordCounts {
  const counts: Partial<Record<TableName, number>> = {}
  for (const { table } of records) counts[table] = (counts[table] ?? 0) + 1
  return counts
}

/** A copy as it would come over HTTP; what JSON has no word for is left out. Errors: 400 for what JSON cannot hold. */
function json(value: unknown, path: readonly PropertyKey[] = []): unknown {
  const refuse = (message: string) => invalidRequest([{ in: 'body', name: pathText(path), message }])
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (error) {
    throw refuse(error instanceof RangeError ? nestedTooDeep : 'must be a value that JSON can hold')
  }
  if (text === undefined) return undefined
  if (isNestedTooDeep(text)) throw refuse(nestedTooDeep)
  return JSON.parse(text)
}

/** The fields that a merge patch names, as they are after it. */
function patched(record: object, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  return Object.fromEntries(
    Object.entries(patch).map(([name, value]) => [name, mergePatch(Reflect.get(record, name), value)]),
  )
}
