import * as z from 'zod'

import { type Example, type Examples, openApiDocument } from '../contract/openapi.ts'
import { pathNames } from '../contract/operation.ts'
import { arrayNames } from '../contract/query.ts'
import { customerNaming, shareOf, signalNaming } from '../contract/statuses.ts'
import { answering } from '../http/service.ts'
import type { BoundOperation, Contract } from '../resources/contract.ts'
import type { Dataset } from '../store/dataset.ts'
import { Reading } from '../store/reading.ts'
import type { SessionData } from '../store/session-data.ts'
import { customerStatus, type Row, type TableName, tableNames } from '../store/tables.ts'
import { exchangeOf } from './explain-request.ts'
import { fieldsOf, singular } from './explain-words.ts'
import type { Host } from './host.ts'
import type { Session } from './sessions/session.ts'

/** How many records of a page an example shows. */
const SHOWN = 2

/** A time for filters by date where no record has one. */
const SOME_TIME = '2026-01-01T00:00Z'

/** A document and the time of its examples. */
interface Made {
  readonly clock: string
  readonly document: Promise<object>
}

const documents = new WeakMap<Dataset, WeakMap<Contract, Made>>()

/**
 * The OpenAPI document of a session. Its examples are requests that work there, with their whole responses.
 * It is kept as long as the session has no changes of its own.
 */
export function exemplifiedDocument(host: Host, session: Session, version: string): Promise<object> {
  const { contract, data } = session
  const make = async (): Promise<object> =>
    openApiDocument(contract, version, await examplesOf(session, host))
  if (data.hasChanged(tableNames)) return make()
  const made = documents.get(data.dataset) ?? new WeakMap<Contract, Made>()
  documents.set(data.dataset, made)
  const clock = JSON.stringify(session.clock.state ?? null)
  const known = made.get(contract)
  if (known?.clock === clock) return known.document
  const document = make()
  made.set(contract, { clock, document })
  document.catch(() => made.delete(contract))
  return document
}

/** An example for each operation that the session has a record for. */
async function examplesOf(session: Session, host: Host): Promise<Examples> {
  const [organization] = host.credentials(session).organizations
  const token = organization?.members[0]?.token ?? ''
  const records = new Records(session.data, organization?.id ?? '')
  const respond = answering()
  const examples: Record<string, Example> = {}
  for (const operation of session.contract.operations) {
    const request = requestFor(operation, session.contract, records)
    if (!request) continue
    // What one example writes, no other one sees.
    const copy = host.copyOf(session)
    // oxlint-disable-next-line no-await-in-loop -- nearly all of them respond at once
    const { status, body } = await respond(exchangeOf(copy, { ...request, token }, new Reading(copy.data)))
    if (status !== operation.status) continue
    examples[operation.id] = { ...request, answer: JSON.parse(new TextDecoder().decode(body.bytes)) }
  }
  return examples
}

type Fields = Readonly<Record<string, unknown>>

/** The records of an organization that examples are about. */
class Records {
  readonly data: SessionData
  readonly #organizationId: string
  readonly #found = new Map<TableName, Row<TableName> | undefined>()

  constructor(data: SessionData, organizationId: string) {
    this.data = data
    this.#organizationId = organizationId
  }

  /** The record of a table that has most to show; undefined if there is none. */
  of<T extends TableName>(table: T): Row<T> | undefined {
    if (!this.#found.has(table)) this.#found.set(table, this.#find(table))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- found under its own table's name
    return this.#found.get(table) as Row<T> | undefined
  }

  /** The id of the member role with a key; of any, without one. */
  roleId(key: string | undefined): number | undefined {
    const { total, page } = this.data.select('memberRoles', [
      ['organizationId', this.#organizationId],
      ['key', key],
    ])
    return page(0, total)[0]?.id
  }

  /** What a path and a body need to lead to a record of a table; of what it belongs to, if there is none. */
  fieldsFor(table: TableName): Fields {
    const row = this.of(table)
    const own = { organizationId: this.#organizationId, ...fieldsOf(row) }
    if (row) {
      const category = table === 'notes' && !this.#isTelling(row) ? this.of('noteCategories') : undefined
      return { ...own, [idName(table)]: row.id, ...(category && { categoryId: category.id }) }
    }
    const [customerId, briefId] = [this.of('customers')?.id, this.of('briefs')?.id]
    const automation = this.of('automations')
    const [triggerId, actionId] = [automation?.triggers[0]?.id, automation?.actions[0]?.id]
    const note = { categoryId: this.of('noteCategories')?.id, content: 'Called them.' }
    return { ...own, ...note, customerId, briefId, automationId: automation?.id, triggerId, actionId }
  }

  #find<T extends TableName>(table: T): Row<T> | undefined {
    const { total, page } = this.data.select(table, [])
    const own = page(0, total).filter((row) => row.organizationId === this.#organizationId)
    return own.find((row) => this.#isTelling(row)) ?? own[0]
  }

  #isTelling(row: Row<TableName>): boolean {
    if ('hasTranscript' in row) return row.hasTranscript
    if ('parentId' in row) return this.data.select('automations', [['parentId', row.id]]).total > 0
    if ('sources' in row) return hasEverything(row)
    if ('isActive' in row) return row.isActive
    return 'categoryId' in row && this.data.get('noteCategories', row.categoryId)?.isActive === true
  }
}

/** The name of a table's ids in paths: `customerId`. */
const idName = (table: TableName): string => `${singular(table)}Id`

/** Says whether every filter can find a customer. */
function hasEverything(customer: Row<'customers'>): boolean {
  const { memberRoles, sources, products, segment, domain, country, region, city } = customer
  const texts = [segment, domain, country, region, city]
  return (
    memberRoles.some(({ memberIds }) => memberIds.length > 0) &&
    sources.length > 0 &&
    products.length > 0 &&
    texts.every((text) => text !== '' && !text.includes(','))
  )
}

/** A request that gives every parameter and finds a record; undefined if there is nothing that its path could name. */
function requestFor(
  operation: BoundOperation,
  contract: Contract,
  records: Records,
): Omit<Example, 'answer'> | undefined {
  const { method, path, query, endpoint } = operation
  const fields = records.fieldsFor(endpoint.resource.table)
  const inPath = pathNames(path).map((name) => [name, fields[name]] as const)
  if (inPath.some(([, value]) => value === undefined)) return undefined
  const filters = filtersFor(operation, contract, records)
  const inQuery = Object.keys(query.parameters).flatMap((name) =>
    filters[name] === undefined ? [] : [[name, filters[name]] as const],
  )
  const parameters = Object.fromEntries([...inPath, ...inQuery])
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(fields[name])))
  const search = searchOf(inQuery, operation)
  const request = { method, path: search === '' ? named : `${named}?${search}`, parameters }
  const { body } = endpoint
  if (!(body instanceof z.ZodObject)) return request
  const given = Object.keys(body.shape).map((name) => [name, fields[name]])
  return { ...request, body: contract.variantOf(body).encode(Object.fromEntries(given)) }
}

/** A query on the wire. */
function searchOf(values: readonly (readonly [string, unknown])[], { query }: BoundOperation): string {
  const arrays = arrayNames(query)
  return values
    .flatMap(([name, value]) => {
      const texts = arrays.has(name) && Array.isArray(value) ? value.map(String) : [String(value)]
      const spelt = query.separator === undefined ? texts : [texts.join(query.separator)]
      return spelt.map((text) => `${name}=${encodeURIComponent(text)}`)
    })
    .join('&')
}

/** A value for each parameter of a query: together they find at least one record, if one has everything. */
function filtersFor({ endpoint, encode }: BoundOperation, contract: Contract, records: Records): Fields {
  const { resource } = endpoint
  const { table } = resource
  const paging = { offset: 0, limit: SHOWN, scope: 'all' }
  const row = records.of(table)
  const shown = row ? fieldsOf(encode(resource.present(row, records.data))) : {}
  if (table === 'signals') {
    const [name] = signalNaming(contract.settings.signalStatuses).names
    return { ...paging, status: shown['status'] ?? name }
  }
  if (table === 'meetings') return { ...paging, minStartDate: records.of('meetings')?.startDate ?? SOME_TIME }
  return table === 'customers' ? { ...paging, ...customerFilters(shown, contract, records) } : paging
}

/** Values that a customer meets; where it has none, values that nobody has. */
function customerFilters(shown: Fields, { settings }: Contract, records: Records): Fields {
  const naming = customerNaming(settings.customerStatuses)
  const customer = records.of('customers')
  const role = customer?.memberRoles.find(({ memberIds }) => memberIds.length > 0)
  const source = customer?.sources[0]
  const words = (name: string): readonly unknown[] => [shown[name] === '' ? 'none' : (shown[name] ?? 'none')]
  return {
    status: customer ? naming.nameOf(customerStatus(customer), shareOf(customer.id)) : naming.names[0],
    updatedSince: customer?.updatedDate ?? SOME_TIME,
    memberId: role?.memberIds[0] ?? records.of('members')?.id,
    memberRoleId: records.roleId(role?.key),
    sourceKey: source?.key ?? 'none',
    sourceExternalId: [source?.externalId ?? 'none'],
    segment: words('segment'),
    domain: words('domain'),
    country: words('country'),
    region: words('region'),
    city: words('city'),
  }
}
