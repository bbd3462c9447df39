import { Hono } from 'hono'
import * as z from 'zod'

import { type Example, type Examples, createOpenApiDocument } from '../../contract/openapi.ts'
import { listPathNames } from '../../contract/operation.ts'
import { findArrayNames } from '../../contract/query.ts'
import { getCustomerNaming, getShare, getSignalNaming } from '../../contract/statuses.ts'
import { getOrCreate } from '../../core/maps.ts'
import { version } from '../../core/version.ts'
import type { BoundOperation, Contract } from '../../resources/contract.ts'
import type { Session } from '../../sessions/session.ts'
import type { Dataset } from '../../store/dataset.ts'
import type { SessionData } from '../../store/session-data.ts'
import { type Row, type TableName, tableNames, toIdName } from '../../store/tables.ts'
import { getCustomerStatus } from '../../store/tables/customers.ts'
import { OpenApiDocument } from '../openapi.ts'
import { type ControlEnv, documentRoute } from '../route.ts'
import { createBaseUrl } from './sessions.ts'

const SHOWN = 2

const SOME_TIME = '2026-01-01T00:00Z'

type DocumentParts = Pick<ControlEnv['Variables'], 'sandbox' | 'explainer'>

const documents = new WeakMap<
  Dataset,
  WeakMap<Contract, { readonly clock: string; readonly document: Promise<object> }>
>()

/**
 * Creates the service's OpenAPI document for a session. Its examples are requests that work there, with their responses.
 * The document is cached unless the session has changes of its own.
 */
function createServiceDocument(parts: DocumentParts, session: Session): Promise<object> {
  const { contract, data } = session
  const create = async (): Promise<object> =>
    createOpenApiDocument(contract, version, await createExamples(session, parts))
  if (data.hasChanged(tableNames)) return create()
  const cache = getOrCreate(documents, data.dataset, () => new WeakMap())
  const clock = JSON.stringify(session.clock.state ?? null)
  const cached = cache.get(contract)
  if (cached?.clock === clock) return cached.document
  const document = create()
  cache.set(contract, { clock, document })
  document.catch(() => cache.delete(contract))
  return document
}

async function createExamples(session: Session, { sandbox, explainer }: DocumentParts): Promise<Examples> {
  const [organization] = sandbox.credentials(session).organizations
  const token = organization?.members[0]?.token ?? ''
  const { play } = await explainer()
  const records = new Records(session.data, organization?.id ?? '')
  const examples: Record<string, Example> = {}
  for (const operation of session.contract.operations) {
    const request = createRequest(operation, session.contract, records)
    if (!request) continue
    // A copy, so that no example sees the writes of another.
    const copy = sandbox.copySession(session)
    // oxlint-disable-next-line no-await-in-loop -- almost all of them respond at once
    const response = await play(copy, { ...request, authorization: `Bearer ${token}` })
    if (response.status !== operation.status) continue
    // oxlint-disable-next-line no-await-in-loop -- as above
    examples[operation.id] = { ...request, answer: await response.json() }
  }
  return examples
}

type Fields = Readonly<Record<string, unknown>>

class Records {
  readonly data: SessionData
  readonly #organizationId: string
  readonly #rows = new Map<TableName, Row<TableName> | undefined>()

  constructor(data: SessionData, organizationId: string) {
    this.data = data
    this.#organizationId = organizationId
  }

  get<T extends TableName>(table: T): Row<T> | undefined {
    if (!this.#rows.has(table)) this.#rows.set(table, this.#find(table))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- found under its own table's name
    return this.#rows.get(table) as Row<T> | undefined
  }

  findRoleId(key: string | undefined): number | undefined {
    const roles = this.data.select('memberRoles', [
      ['organizationId', this.#organizationId],
      ['key', key],
    ])
    return roles.page(0, 1)[0]?.id
  }

  listFields(table: TableName): Fields {
    const row = this.get(table)
    const fields = { organizationId: this.#organizationId, ...row }
    if (row) {
      const category = table === 'notes' && !this.#isInstructive(row) ? this.get('noteCategories') : undefined
      return { ...fields, [toIdName(table)]: row.id, ...(category && { categoryId: category.id }) }
    }
    const [customerId, briefId] = [this.get('customers')?.id, this.get('briefs')?.id]
    const automation = this.get('automations')
    const [triggerId, actionId] = [automation?.triggers[0]?.id, automation?.actions[0]?.id]
    const note = { categoryId: this.get('noteCategories')?.id, content: 'Called them.' }
    return { ...fields, ...note, customerId, briefId, automationId: automation?.id, triggerId, actionId }
  }

  #find<T extends TableName>(table: T): Row<T> | undefined {
    const isOwn = (row: Row<T>): boolean => row.organizationId === this.#organizationId
    const rows = this.data.select(table, [], isOwn).page()
    return rows.find((row) => this.#isInstructive(row)) ?? rows[0]
  }

  #isInstructive(row: Row<TableName>): boolean {
    if ('hasTranscript' in row) return row.hasTranscript
    if ('parentId' in row) return this.data.select('automations', [['parentId', row.id]]).total > 0
    if ('sources' in row) return hasEverything(row)
    if ('isActive' in row) return row.isActive
    return 'categoryId' in row && this.data.get('noteCategories', row.categoryId)?.isActive === true
  }
}

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

function createRequest(
  operation: BoundOperation,
  contract: Contract,
  records: Records,
): Omit<Example, 'answer'> | undefined {
  const { method, path, query, endpoint } = operation
  const fields = records.listFields(endpoint.resource.table)
  const inPath = listPathNames(path).map((name) => [name, fields[name]] as const)
  if (inPath.some(([, value]) => value === undefined)) return undefined
  const filters = chooseFilters(operation, contract, records)
  const inQuery = Object.keys(query.parameters).flatMap((name) =>
    filters[name] === undefined ? [] : [[name, filters[name]] as const],
  )
  const parameters = Object.fromEntries([...inPath, ...inQuery])
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(fields[name])))
  const search = formatQuery(inQuery, operation)
  const request = { method, path: search === '' ? named : `${named}?${search}`, parameters }
  const { body } = endpoint
  if (!(body instanceof z.ZodObject)) return request
  const entries = Object.keys(body.shape).map((name) => [name, fields[name]])
  return { ...request, body: contract.codec(body).encode(Object.fromEntries(entries)) }
}

function formatQuery(values: readonly (readonly [string, unknown])[], { query }: BoundOperation): string {
  const arrays = findArrayNames(query)
  return values
    .flatMap(([name, value]) => {
      const texts = arrays.has(name) && Array.isArray(value) ? value.map(String) : [String(value)]
      const separated = query.separator === undefined ? texts : [texts.join(query.separator)]
      return separated.map((text) => `${name}=${encodeURIComponent(text)}`)
    })
    .join('&')
}

/** Chooses a value for each query parameter. Together they find at least one record, if one has all values. */
function chooseFilters({ endpoint, encode }: BoundOperation, contract: Contract, records: Records): Fields {
  const { resource } = endpoint
  const { table } = resource
  const row = records.get(table)
  const shown: Fields = row ? Object(encode(resource.present(row, records.data), row)) : {}
  const common = { ...shown, offset: 0, limit: SHOWN, scope: 'all' }
  if (table === 'signals') {
    const [name] = getSignalNaming(contract.settings.signalStatuses).names
    return { ...common, status: shown['status'] ?? name }
  }
  if (table === 'meetings')
    return { ...common, minStartDate: records.get('meetings')?.startDate ?? SOME_TIME }
  return table === 'customers' ? { ...common, ...chooseCustomerFilters(shown, contract, records) } : common
}

function chooseCustomerFilters(shown: Fields, { settings }: Contract, records: Records): Fields {
  const naming = getCustomerNaming(settings.customerStatuses)
  const customer = records.get('customers')
  const role = customer?.memberRoles.find(({ memberIds }) => memberIds.length > 0)
  const source = customer?.sources[0]
  const words = (name: string): readonly unknown[] => [shown[name] === '' ? 'none' : (shown[name] ?? 'none')]
  return {
    status: customer ? naming.getName(getCustomerStatus(customer), getShare(customer.id)) : naming.names[0],
    updatedSince: customer?.updatedDate ?? SOME_TIME,
    memberId: role?.memberIds[0] ?? records.get('members')?.id,
    memberRoleId: records.findRoleId(role?.key),
    sourceKey: source?.key ?? 'none',
    sourceExternalId: [source?.externalId ?? 'none'],
    segment: words('segment'),
    domain: words('domain'),
    country: words('country'),
    region: words('region'),
    city: words('city'),
  }
}

export const serviceDocumentRoutes = (operationId: string) =>
  new Hono<ControlEnv>().get(
    '/',
    documentRoute(operationId, 'Read the OpenAPI document of the service', OpenApiDocument),
    async (c) => {
      const { session } = c.var
      const document = await createServiceDocument(c.var, session)
      c.header('access-control-allow-origin', '*')
      return c.json({ ...document, servers: [{ url: createBaseUrl(session.id, c.req.url) }] })
    },
  )
