import type { Codec } from '../../contract/codecs.ts'
import { invalidField, SandboxError } from '../../core/errors.ts'
import { importSequentially } from '../../core/import-sequentially.ts'
import { parseInput } from '../../core/issues.ts'
import type { JsonObject } from '../../core/json.ts'
import { didYouMean } from '../../core/nearest.ts'
import { mapInSlices, readInSlices, runInSlices, type Steps } from '../../core/slices.ts'
import { isIndex, sortByReferences } from '../../store/references.ts'
import { type Clauses, inOrganization, type Selection } from '../../store/selection.ts'
import type { Data, SessionData } from '../../store/session-data.ts'
import { type Row, type TableName, tableNames, nameRecord } from '../../store/tables.ts'
import { commit } from './commit.ts'
import { countRecords, countTables } from './counts.ts'
import { checkKeyChange, deleteInSteps, undo } from './dependents.ts'
import { findRow, readId, readTable } from './find-records.ts'
import { forms, presentRecord } from './forms/forms.ts'
import { checkCount, type Item, parseItem, patchFields, ValidationErrors } from './item.ts'
import type { Stage } from './stage.ts'
import {
  ArrangeOptions,
  ChangeFilter,
  type ListedChange,
  Batch,
  CountOptions,
  type Counts,
  type Created,
  ListOptions,
  type RecordCounts,
  RecordList,
} from './types.ts'
import { checkRecord, type WriteContext, type WrittenRecord, writeRecord } from './write-record.ts'
import { findWritten, getChangeKind, readChangesPage, type WritableSession } from './written-changes.ts'

type Place = Omit<Item, 'input'>

const readOrganization = (options: ArrangeOptions = {}): string | undefined =>
  parseInput(ArrangeOptions, options, [], 'query').organizationId

/** Reads and writes the records of a session. Writes run one after the other, and each applies completely or not at all. */
export class RecordWriter {
  readonly #session: WritableSession
  readonly #hold: () => () => void
  #last: Promise<unknown> = Promise.resolve()

  /** @param hold keeps the session from being evicted until the returned function is called */
  constructor(session: WritableSession, hold: () => () => void) {
    this.#session = session
    this.#hold = hold
  }

  async list(
    table: TableName,
    options: ListOptions = {},
  ): Promise<{ readonly items: JsonObject[]; readonly totalCount: number }> {
    const { offset = 0, limit, organizationId, customerId, text } = parseInput(ListOptions, options)
    // A copy, so that all records are of one time.
    const data = this.#session.data.copy()
    const select = () => this.#select(data, table, organizationId, customerId)
    const present = (row: Row<TableName>) => this.#present(table, row, data)
    if (text === undefined) {
      const { page, total: totalCount } = await readInSlices(select)
      return { items: await mapInSlices(page(offset, limit), present), totalCount }
    }
    const searched = text.toLowerCase()
    const rows = await readInSlices(() => select().page())
    const matches: JsonObject[] = []
    await mapInSlices(rows, (row) => {
      const record = present(row)
      if (JSON.stringify(record).toLowerCase().includes(searched)) matches.push(record)
    })
    return { items: matches.slice(offset, limit && offset + limit), totalCount: matches.length }
  }

  async counts(
    table: TableName,
    field: string | undefined,
    options?: Pick<ListOptions, 'organizationId'>,
  ): Promise<Counts> {
    const { by, organizationId } = parseInput(CountOptions, { ...options, by: field }, [], 'query')
    const data = this.#session.data.copy()
    const select = () => this.#select(data, table, organizationId).page()
    return countRecords(table, by, await readInSlices(select), data, this.#codec(table))
  }

  async get(table: TableName, id: number): Promise<JsonObject> {
    return readInSlices(() => this.#present(table, findRow(table, readId(id), this.#session.data)))
  }

  /** @param id that of the record, if it does not say so itself */
  async put(table: TableName, record: unknown, options?: ArrangeOptions, id?: number): Promise<JsonObject> {
    const organizationId = readOrganization(options)
    return this.#writeOne(() => ({ table, id, write: 'put', raw: record, path: [], organizationId }))
  }

  async patch(table: TableName, input: number, patch: unknown): Promise<JsonObject> {
    const id = readId(input)
    return this.#writeOne(() => {
      const raw = patchFields(this.#present(table, findRow(table, id, this.#session.data)), patch)
      return { table, id, write: 'patch', raw, path: [], organizationId: undefined }
    })
  }

  async delete(table: TableName, input: number): Promise<RecordCounts> {
    const id = readId(input)
    return this.#commit(function* (stage) {
      yield* deleteInSteps(table, findRow(table, id, stage.data), stage)
      return countTables(stage.staged())
    })
  }

  async undo(name: string, input: number): Promise<RecordCounts> {
    const [table, id] = [readTable(name), readId(input)]
    return this.#commit(function* (stage) {
      const own = stage.data.getChange(table, id)
      if (own === undefined || (own === null && !stage.unchanged.get(table, id))) {
        const fact = `Cannot undo the change of ${nameRecord(table, id)}`
        throw new SandboxError('not_found', `${fact}: it is unchanged.`)
      }
      yield* undo(table, id, stage)
      return countTables(stage.staged())
    })
  }

  undoAll(): Promise<RecordCounts> {
    return this.#commit(function* (stage) {
      const written = yield* findWritten(stage.data)
      for (const { table, id } of stage.data.changes()) {
        stage.undo(table, id)
        yield
      }
      return countTables(written)
    })
  }

  async create(table: TableName, input: readonly unknown[], options?: ArrangeOptions): Promise<JsonObject[]> {
    const organizationId = readOrganization(options)
    const records = parseInput(RecordList, input)
    checkCount(records.length)
    return this.#create(records.map((raw, index) => ({ table, raw, path: [index], organizationId })))
  }

  async createAll(batch: Batch, options?: ArrangeOptions): Promise<Created> {
    const lists = parseInput(Batch, batch)
    const organizationId = readOrganization(options)
    const records = sortByReferences().flatMap((table) =>
      (lists[table] ?? []).map((raw, index) => ({ table, raw, path: [table, index], organizationId })),
    )
    checkCount(records.length)
    const created = await this.#create(records)
    const listCreated = (table: TableName) => created.filter((_, index) => records[index]?.table === table)
    return Object.fromEntries(
      tableNames.flatMap((table) => (lists[table] ? [[table, listCreated(table)]] : [])),
    )
  }

  /** Lists the records that differ from the dataset or, with a filter, those that were changed. */
  async changes(filter?: ChangeFilter): Promise<ListedChange[]> {
    if (filter !== undefined) {
      const all = { ...parseInput(ChangeFilter, filter), offset: 0, limit: Infinity }
      return (await readChangesPage(this.#session, all)).items
    }
    // A copy, so that all changes are of one time.
    const data = this.#session.data.copy()
    const written = await runInSlices(() => findWritten(data))
    return written.map((row) => ({ collection: row.table, id: row.id, kind: getChangeKind(row) }))
  }

  #create(places: readonly Omit<Place, 'id' | 'write'>[]): Promise<JsonObject[]> {
    return this.#write(() => places.map((place) => ({ ...place, id: undefined, write: 'create' })))
  }

  async #writeOne(place: () => Place): Promise<JsonObject> {
    const [record = {}] = await this.#write(() => [place()])
    return record
  }

  /** @param places are listed anew each time that the write is made */
  #write(places: () => Iterable<Place>): Promise<JsonObject[]> {
    const { data, clock } = this.#session
    return this.#enqueue(async () => {
      const { createGenerator } = await importSequentially(() => import('../../../seed/index.ts'))
      return commit(data, (stage) => {
        const now = clock.now()
        const generate = createGenerator({ seed: data.dataset.key.seed, now, data: stage })
        const { settings } = this.#session.contract
        const context = { stage, generate, now, settings, errors: new ValidationErrors() }
        return this.#writeAll(places(), context)
      })
    })
  }

  *#writeAll(places: Iterable<Place>, context: WriteContext): Steps<JsonObject[]> {
    const { stage, errors } = context
    const items: Item[] = []
    for (const place of places) {
      const item = parseItem(place, this.#codec(place.table), errors)
      if (item) items.push(item)
      yield
    }
    errors.throwIfAny()
    const written: WrittenRecord[][] = []
    for (const item of items) {
      written.push(writeRecord(item, context))
      yield
    }
    const records: JsonObject[] = []
    for (const all of written) {
      const [first] = all
      const [record] = all.map((one) => checkRecord(one, context))
      if (first && record) {
        const row = stage.get(first.table, first.context.id)
        records.push({ ...Object(this.#codec(first.table).encode(record, row)) })
      }
      yield
    }
    errors.throwIfAny()
    for (const staged of stage.staged()) {
      checkKeyChange(staged, stage)
      yield
    }
    return records
  }

  #commit<R>(change: (stage: Stage) => Steps<R>): Promise<R> {
    return this.#enqueue(() => commit(this.#session.data, change))
  }

  #enqueue<R>(call: () => Promise<R>): Promise<R> {
    const release = this.#hold()
    const result = this.#last.then(call).finally(release)
    this.#last = result.catch(() => undefined)
    return result
  }

  #select<T extends TableName>(
    data: SessionData,
    table: T,
    organizationId: string | undefined,
    customerId?: number,
  ): Selection<Row<T>> {
    const ids = data.dataset.organizations.map(({ id }) => id)
    if (organizationId !== undefined && !ids.includes(organizationId)) {
      const message = `${organizationId} matches no organization. ${didYouMean(organizationId, ids)}`
      throw invalidField('organizationId', message, 'query')
    }
    const byCustomer = 'customerId'
    if (customerId !== undefined && !isIndex(table, byCustomer)) {
      throw invalidField('customerId', `does not apply: ${table} belong to no customer`, 'query')
    }
    const clauses: Clauses<T> = isIndex(table, byCustomer) ? [[byCustomer, customerId]] : []
    const isOwn = organizationId === undefined ? [] : [inOrganization<T>(organizationId)]
    return data.select(table, [...clauses, ...isOwn])
  }

  #present<T extends TableName>(table: T, row: Row<T>, data: Data = this.#session.data): JsonObject {
    return presentRecord(table, row, data, this.#session.contract)
  }

  #codec(table: TableName): Codec {
    return this.#session.contract.codec(forms[table].shape)
  }
}
