import type { OrganizationRow } from './rows.ts'
import type { Row, TableName } from './tables.ts'
import type { Reader } from './texts.ts'

/** The records that a record stands among. */
export interface Lookup extends Reader {
  readonly organizations: readonly OrganizationRow[]
  /** All rows of a table that belong to an organization. Order: by id. */
  list<T extends TableName>(table: T, organizationId: string): readonly Row<T>[]
}

/** Something that a row names and that is not there, or not as it should be. */
export interface Dangling {
  /** Where in the row, as in `memberRoles[0].memberIds[2]`. */
  readonly path: string
  /** What is wrong, as in `99 matches no customer`. */
  readonly message: string
  /** What to do about it. */
  readonly remedy: string
}

type Check<T extends TableName> = (row: Row<T>, lookup: Lookup) => Iterable<Dangling>

/** What is called what in a message. */
export const nouns: Readonly<Record<TableName, string>> = {
  members: 'member',
  customers: 'customer',
  signals: 'signal',
  meetings: 'meeting',
  notes: 'note',
  automations: 'automation',
  triggerLogs: 'trigger log',
  actionLogs: 'action log',
  briefs: 'brief',
  briefContents: 'brief content',
  products: 'product',
  productMetrics: 'product metric',
  customFields: 'custom field',
  memberRoles: 'member role',
  noteCategories: 'note category',
}

const customerId = toId<'signals' | 'meetings' | 'notes' | 'briefContents'>(
  'customerId',
  'customers',
  (row) => [row.customerId],
)

/** What the rows of each table refer to, and what must be unique among them. */
const checks: { readonly [T in TableName]: readonly Check<T>[] } = {
  members: [toId('managerId', 'members', (row) => (row.managerId === row.id ? [] : [row.managerId]))],
  customers: [
    toKey('memberRoles[].key', 'memberRoles', (row) => row.memberRoles.map((role) => role.key)),
    toMembersOfRoles,
    toKey('customFields[].key', 'customFields', (row) => row.customFields.map((field) => field.key)),
    toKey('products[].key', 'products', (row) => row.products.map((product) => product.key)),
    toMetrics,
  ],
  signals: [
    customerId,
    toId('productId', 'products', (row) => [row.productId]),
    toId('createdById', 'members', (row) => [row.createdById]),
    toId('updatedById', 'members', (row) => [row.updatedById]),
    toId('ownerId', 'members', (row) => [row.ownerId]),
  ],
  meetings: [customerId, toId('memberIds[]', 'members', (row) => row.memberIds)],
  notes: [
    customerId,
    toId('categoryId', 'noteCategories', (row) => [row.categoryId]),
    toId('createdById', 'members', (row) => [row.createdById]),
  ],
  automations: [
    toId('parentId', 'automations', (row) => (row.parentId === null ? [] : [row.parentId])),
    noCircle,
    ownParts('triggers'),
    ownParts('actions'),
  ],
  triggerLogs: [
    toId('automationId', 'automations', (row) => [row.automationId]),
    toPart('triggerId', 'triggers', (row) => row.triggerId),
  ],
  actionLogs: [
    toId('automationId', 'automations', (row) => [row.automationId]),
    toPart('actionId', 'actions', (row) => row.actionId),
  ],
  briefs: [uniqueKey('briefs')],
  briefContents: [customerId, toId('briefId', 'briefs', (row) => [row.briefId])],
  products: [uniqueKey('products')],
  productMetrics: [
    toId('productId', 'products', (row) => [row.productId]),
    uniqueKey('productMetrics', (row, other) => row.productId === other.productId),
  ],
  customFields: [uniqueKey('customFields')],
  memberRoles: [uniqueKey('memberRoles')],
  noteCategories: [],
}

/**
 * What a row refers to that does not exist in its organization, and what it repeats that must be unique.
 * Shape: empty where everything is right. Order: as the fields stand in the row.
 */
export function danglingReferences<T extends TableName>(table: T, row: Row<T>, lookup: Lookup): Dangling[] {
  const { organizationId } = row
  if (!lookup.organizations.some((organization) => organization.id === organizationId)) {
    return [dangling('organizationId', `${organizationId} matches no organization`, 'Add the organization')]
  }
  return checks[table].flatMap((check) => [...check(row, lookup)])
}

function dangling(path: string, message: string, remedy: string): Dangling {
  return {
    path,
    message,
    remedy: `${remedy} or change the ${/[iI]d(?:s\[\d+\])?$/.test(path) ? 'id' : 'key'}.`,
  }
}

/** `path` has `[]` where the list of ids is one of the row. */
function toId<T extends TableName>(
  path: string,
  target: TableName,
  ids: (row: Row<T>) => readonly number[],
): Check<T> {
  return function* (row, lookup) {
    for (const [index, id] of ids(row).entries())
      yield* missing(path.replace('[]', `[${index}]`), target, id, row, lookup)
  }
}

interface Owned {
  readonly organizationId: string
}

function* missing(
  path: string,
  target: TableName,
  id: number,
  row: Owned,
  lookup: Lookup,
): Iterable<Dangling> {
  const found = lookup.get(target, id)
  const noun = nouns[target]
  if (!found) yield dangling(path, `${id} matches no ${noun}`, `Add the ${noun}`)
  else if (found.organizationId !== row.organizationId) {
    const one = `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`
    const message = `${id} is ${one} of organization ${found.organizationId}, not of ${row.organizationId}`
    yield dangling(path, message, `Take ${one} of the same organization`)
  }
}

function toKey<T extends TableName>(
  path: string,
  target: 'memberRoles' | 'customFields' | 'products',
  keys: (row: Row<T>) => readonly string[],
): Check<T> {
  return function* (row, lookup) {
    const given = keys(row)
    const known = lookup.list(target, row.organizationId)
    for (const [index, key] of given.entries()) {
      const place = path.replace('[]', `[${index}]`)
      const noun = nouns[target]
      if (!known.some((definition) => definition.key === key)) {
        yield dangling(place, `${key} matches no ${noun}`, `Add the ${noun}`)
      } else if (given.indexOf(key) < index) {
        yield dangling(place, `${key} stands there twice`, 'Remove one')
      }
    }
  }
}

function* toMembersOfRoles(row: Row<'customers'>, lookup: Lookup): Iterable<Dangling> {
  for (const [index, role] of row.memberRoles.entries()) {
    for (const [place, id] of role.memberIds.entries()) {
      yield* missing(`memberRoles[${index}].memberIds[${place}]`, 'members', id, row, lookup)
    }
  }
}

function* toMetrics(row: Row<'customers'>, lookup: Lookup): Iterable<Dangling> {
  const products = lookup.list('products', row.organizationId)
  const metrics = lookup.list('productMetrics', row.organizationId)
  for (const [index, { key: productKey, metrics: given }] of row.products.entries()) {
    const product = products.find((candidate) => candidate.key === productKey)
    for (const [place, { key }] of given.entries()) {
      if (!product || metrics.some((metric) => metric.productId === product.id && metric.key === key))
        continue
      const message = `${key} matches no metric of product ${productKey}`
      yield dangling(`products[${index}].metrics[${place}].key`, message, 'Add the metric')
    }
  }
}

function* noCircle(row: Row<'automations'>, lookup: Lookup): Iterable<Dangling> {
  const above = new Set<number>()
  for (
    let id = row.parentId;
    id !== null && !above.has(id);
    id = lookup.get('automations', id)?.parentId ?? null
  ) {
    if (id === row.id) {
      yield dangling(
        'parentId',
        `${row.parentId} is the automation itself or one below it`,
        'Take one above it',
      )
    }
    above.add(id)
  }
}

/** The triggers and actions of an automation are its own: no two have the same id. */
function ownParts(part: 'triggers' | 'actions'): Check<'automations'> {
  return function* (row, lookup) {
    const others = lookup.list('automations', row.organizationId).filter((other) => other.id !== row.id)
    for (const [index, { id }] of row[part].entries()) {
      const owner = others.find((other) => other[part].some((candidate) => candidate.id === id))
      const path = `${part}[${index}].id`
      if (owner) yield dangling(path, `${id} is one of automation ${owner.id} already`, 'Change that one')
      else if (row[part].findIndex((candidate) => candidate.id === id) < index) {
        yield dangling(path, `${id} stands there twice`, 'Remove one')
      }
    }
  }
}

function toPart<T extends 'triggerLogs' | 'actionLogs'>(
  path: string,
  part: 'triggers' | 'actions',
  idOf: (row: Row<T>) => number,
): Check<T> {
  return function* (row, lookup) {
    const automation = lookup.get('automations', row.automationId)
    const id = idOf(row)
    if (!automation || automation[part].some((candidate) => candidate.id === id)) return
    const noun = part === 'triggers' ? 'trigger' : 'action'
    yield dangling(path, `${id} matches no ${noun} of automation ${automation.id}`, `Add the ${noun}`)
  }
}

function uniqueKey<T extends 'products' | 'productMetrics' | 'customFields' | 'memberRoles' | 'briefs'>(
  table: T,
  together: (row: Row<T>, other: Row<T>) => boolean = () => true,
): Check<T> {
  return function* (row, lookup) {
    const { id, key } = row
    for (const other of lookup.list(table, row.organizationId)) {
      if (other.id === id || other.key !== key || !together(row, other)) continue
      yield dangling(
        'key',
        `${key} is the key of ${nouns[table]} ${other.id} already`,
        `Change that ${nouns[table]}`,
      )
    }
  }
}
