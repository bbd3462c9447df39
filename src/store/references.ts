import { getOrCreate } from '../core/maps.ts'
import type { Steps } from '../core/slices.ts'
import { type Change, type IndexName, type Row, type TableName, tableNames, tables } from './tables.ts'
import { findReferences, type Key, type ReferenceField } from './tables/define.ts'
import type { OrganizationRow } from './tables/members.ts'
import type { Reader } from './texts.ts'

export interface Lookup extends Reader {
  readonly organizations: readonly OrganizationRow[]
  list<T extends TableName>(table: T, organizationId: string): readonly Row<T>[]
  find<T extends TableName>(table: T, index: IndexName<T>, key: Key): readonly Row<T>[]
}

type KeyedTable = { [T in TableName]: 'key' extends IndexName<T> ? T : never }[TableName]

const isKeyed = (table: TableName): table is KeyedTable => 'key' in tables[table].row.shape

export function findByKey(
  table: TableName,
  key: string,
  organizationId: string,
  lookup: Pick<Lookup, 'find'>,
): readonly Row<KeyedTable>[] {
  if (!isKeyed(table)) return []
  return lookup.find(table, 'key', key).filter((row) => row.organizationId === organizationId)
}

export interface ReferenceError {
  readonly path: string
  readonly message: string
  readonly remedy: string
}

export interface TableReference extends Omit<ReferenceField, 'table'> {
  readonly table: TableName
}

const references = new Map<TableName, readonly TableReference[]>()

export const listReferences = (name: TableName): readonly TableReference[] =>
  getOrCreate(references, name, () =>
    findReferences(tables[name].row).map((field) => {
      const table = tableNames.find((other) => other === field.table)
      if (!table)
        throw new TypeError(`${name}.${field.path.join('.')} refers to ${field.table}, which is not a table.`)
      return { ...field, table }
    }),
  )

const referredTables = new Map<TableName, readonly TableName[]>()

/** Lists the tables that the rows of a table refer to, directly or not. */
export const listReferredTables = (name: TableName): readonly TableName[] =>
  getOrCreate(referredTables, name, () => {
    const found = new Set(listReferences(name).map(({ table }) => table))
    // The iteration includes tables that are added meanwhile.
    for (const table of found) for (const other of listReferences(table)) found.add(other.table)
    return [...found]
  })

/** Reports whether a plain field refers to one record by its id, so that rows are found by it. */
export function isIndex<T extends TableName>(table: T, name: string): name is IndexName<T> {
  return listReferences(table).some(({ by, path: [field, inner] }) => by === 'id' && field === name && !inner)
}

/** Lists the tables whose rows are parts of a table's, each with the field that has the id of the whole. */
export const listPartTables = (whole: TableName) =>
  tableNames.flatMap((table) =>
    listReferences(table).flatMap(({ isPart, table: to, path: [field = ''] }) =>
      isPart && to === whole && isIndex(table, field) ? [{ table, field }] : [],
    ),
  )

/** Finds the record that a value of a row refers to; the row may refer to itself. */
function findReferred(
  table: TableName,
  row: Row<TableName>,
  { table: target, by }: TableReference,
  value: unknown,
  data: Pick<Lookup, 'get' | 'find'>,
): Row<TableName> | undefined {
  if (by === 'key') return findByKey(target, String(value), row.organizationId, data)[0]
  return target === table && value === row.id ? row : data.get(target, Number(value))
}

/**
 * Reports whether all records that a row refers to are there, and none of them is below the row.
 * @param followed the rows whose references are being followed, since some lead back to them
 * @param mayLack tells which tables may lack some, since only those of a dataset's row are read; any may for a session's row
 */
export function isComplete<T extends TableName>(
  table: T,
  row: Row<T>,
  data: Pick<Lookup, 'get' | 'find'>,
  followed: Set<object>,
  mayLack?: (table: TableName) => boolean,
): boolean {
  // References in a circle do not tell whether a row is there.
  if (followed.has(row)) return true
  followed.add(row)
  try {
    const hasAll = listReferences(table).every((reference) => {
      if (mayLack?.(reference.table) === false) return true
      return findValues(row, reference.path).every(({ value }) => {
        const referred = value === null ? row : findReferred(table, row, reference, value, data)
        return referred?.organizationId === row.organizationId
      })
    })
    return hasAll && (mayLack !== undefined || !isBelowItself(row, data))
  } finally {
    followed.delete(row)
  }
}

/** Reports whether the automations above one lead back to it. */
function isBelowItself(row: Row<TableName>, data: Pick<Lookup, 'get'>): boolean {
  const above = new Set<number>()
  let id = 'parentId' in row ? row.parentId : null
  while (id !== null && !above.has(id)) {
    if (id === row.id) return true
    above.add(id)
    id = data.get('automations', id)?.parentId ?? null
  }
  return false
}

const countReferred = (name: TableName): number =>
  listReferredTables(name).filter((other) => other !== name).length

/** Lists the tables, each after those that its rows refer to, since these refer to fewer. */
export const sortByReferences = (): readonly TableName[] =>
  tableNames.toSorted((one, other) => countReferred(one) - countReferred(other))

interface PlacedValue {
  readonly place: string
  readonly value: unknown
}

export function findValues(
  value: unknown,
  path: readonly string[],
  place = '',
  from = 0,
): readonly PlacedValue[] {
  const step = path[from]
  if (step === undefined) return [{ place, value }]
  if (step !== '[]')
    return findValues(Reflect.get(Object(value), step), path, place ? `${place}.${step}` : step, from + 1)
  if (!Array.isArray(value)) return []
  return value.flatMap((item, index) => findValues(item, path, `${place}[${index}]`, from + 1))
}

/** Finds references to missing records or to another organization, and keys that are taken. Order: as the row's fields. */
export function checkReferences<T extends TableName>(
  table: T,
  row: Row<T>,
  lookup: Lookup,
): ReferenceError[] {
  const { organizationId } = row
  const errors: ReferenceError[] = []
  const add: AddError = (path, message, remedy) => {
    const kind = /[iI]d(?:s\[\d+\])?$/.test(path) ? 'id' : 'key'
    errors.push({ path, message, remedy: `${remedy} or change the ${kind}.` })
  }
  if (!lookup.organizations.some(({ id }) => id === organizationId)) {
    add('organizationId', `${organizationId} matches no organization`, 'Add the organization')
    return errors
  }
  for (const reference of listReferences(table)) {
    checkReference(table, row, reference, lookup, add)
  }
  if ('key' in row) checkUnique(table, row, lookup, add)
  if ('memberRoles' in row) checkMetrics(row, lookup, add)
  if ('parentId' in row) checkAutomation(row, lookup, add)
  if ('automationId' in row) checkLog(row, lookup, add)
  return errors
}

type AddError = (path: string, message: string, remedy: string) => void

function checkReference(
  table: TableName,
  row: Row<TableName>,
  reference: TableReference,
  lookup: Lookup,
  add: AddError,
): void {
  const { noun } = tables[reference.table]
  const seen = new Set<unknown>()
  for (const { place, value } of findValues(row, reference.path)) {
    const text = String(value)
    if (value === null) continue
    const referred = findReferred(table, row, reference, value, lookup)
    if (!referred) add(place, `${text} matches no ${noun}`, `Add the ${noun}`)
    else if (referred.organizationId !== row.organizationId) {
      const one = `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`
      const message = `${text} is ${one} of organization ${referred.organizationId}, not of ${row.organizationId}`
      add(place, message, `Choose ${one} of the same organization`)
    } else if (reference.by === 'key' && seen.has(value)) {
      add(place, `${text} is listed twice`, 'Remove one')
    }
    seen.add(value)
  }
}

function checkUnique(table: TableName, row: Row<KeyedTable>, lookup: Lookup, add: AddError): void {
  const { noun, unique = [] } = tables[table]
  if (unique.length === 0) return
  for (const other of findByKey(table, row.key, row.organizationId, lookup)) {
    const isSame = unique.every((field) => Reflect.get(other, field) === Reflect.get(row, field))
    if (other.id !== row.id && isSame)
      add('key', `${row.key} is already the key of ${noun} ${other.id}`, `Change that ${noun}`)
  }
}

function checkMetrics(row: Row<'customers'>, lookup: Lookup, add: AddError): void {
  const { organizationId } = row
  for (const [index, { key: productKey, metrics }] of row.products.entries()) {
    const [product] = findByKey('products', productKey, organizationId, lookup)
    for (const [place, { key }] of metrics.entries()) {
      const sameKey = findByKey('productMetrics', key, organizationId, lookup)
      if (!product || sameKey.some((metric) => 'productId' in metric && metric.productId === product.id))
        continue
      const message = `${key} matches no metric of product ${productKey}`
      add(`products[${index}].metrics[${place}].key`, message, 'Add the metric')
    }
  }
}

function checkAutomation(row: Row<'automations'>, lookup: Lookup, add: AddError): void {
  if (isBelowItself(row, lookup))
    add('parentId', `${row.parentId} is the automation itself or one below it`, 'Choose one above it')
  for (const part of ['triggers', 'actions'] as const) {
    const seen = new Set<number>()
    for (const [index, { id: partId }] of row[part].entries()) {
      const owner = lookup
        .find('automations', part, partId)
        .find((other) => other.id !== row.id && other.organizationId === row.organizationId)
      const path = `${part}[${index}].id`
      if (owner) add(path, `${partId} already belongs to automation ${owner.id}`, 'Change that one')
      else if (seen.has(partId)) add(path, `${partId} is listed twice`, 'Remove one')
      seen.add(partId)
    }
  }
}

function checkLog(row: Row<'triggerLogs'> | Row<'actionLogs'>, lookup: Lookup, add: AddError): void {
  const [noun, id] =
    'triggerId' in row ? (['trigger', row.triggerId] as const) : (['action', row.actionId] as const)
  const automation = lookup.get('automations', row.automationId)
  if (!automation || automation[`${noun}s`].some((candidate) => candidate.id === id)) return
  add(`${noun}Id`, `${id} matches no ${noun} of automation ${automation.id}`, `Add the ${noun}`)
}

export interface Dangling extends Pick<ReferenceError, 'path' | 'message'> {
  readonly change: Change
}

/** Finds the first changed row that refers to a record that is missing. */
export function* findDangling(changes: readonly Change[], lookup: Lookup): Steps<Dangling | undefined> {
  for (const change of changes) {
    const { table, row } = change
    const [error] = row ? checkReferences(table, row, lookup) : []
    if (error) return { change, path: error.path, message: error.message }
    yield
  }
  return undefined
}
