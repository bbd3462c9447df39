import { type Context, Hono } from 'hono'
import * as z from 'zod'

import { listPathNames, type PathParameters } from '../../contract/paths.ts'
import { getCustomerNaming, getSignalNaming } from '../../contract/statuses.ts'
import { getOrCreate } from '../../core/maps.ts'
import { readInSlices } from '../../core/slices.ts'
import { letOthersRun } from '../../core/system-clock.ts'
import { version } from '../../core/version.ts'
import type { Operation, Contract } from '../../service/contract.ts'
import type { OperationId, operations } from '../../service/index.ts'
import { listCredentials } from '../../sessions/credentials.ts'
import type { Dataset } from '../../store/dataset.ts'
import type { Clauses } from '../../store/selection.ts'
import type { SessionData } from '../../store/session-data.ts'
import { type Row, type TableName, tableNames } from '../../store/tables.ts'
import { OpenApiDocument } from '../openapi.ts'
import { type ControlEnv, createRequest, documentRoute, readOrigin } from '../route.ts'
import { type Example, type Examples, createOpenApiDocument } from '../service-openapi.ts'
import { createBaseUrl } from './sessions.ts'

/** The page that the example of a list shows. */
const PAGE = { offset: 0, limit: 2 }

/** A list without pagination is no example if it is longer. */
const MAX_SHOWN = 100

/** Lists of the records of all customers, which are generated when they are read: counting them costs too much. */
const longLists = new Set(['listSignals', 'listAutomationTriggerLogs', 'listAutomationActionLogs'])

const documents = new WeakMap<
  Dataset,
  WeakMap<Contract, { readonly clock: string; readonly document: Promise<object> }>
>()

/**
 * Creates the service's OpenAPI document for a session. Its examples are requests that work there, with their
 * responses, which are those of the fixture and of one customer.
 * The document is cached unless the session has changes of its own.
 */
function createServiceDocument(c: Context<ControlEnv>): Promise<object> {
  const { session } = c.var
  const { contract, data } = session
  const create = async (): Promise<object> =>
    createOpenApiDocument(contract, version, await createExamples(c))
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

async function createExamples({ env, var: { session } }: Context<ControlEnv>): Promise<Examples> {
  const { sandbox, respond } = env
  const { data, contract } = session
  const [organization] = listCredentials(sandbox.dataset, session).organizations
  const token = organization?.members[0]?.token ?? ''
  const values = await readInSlices(() => chooseValues(data, organization?.id ?? ''))
  const examples: Record<string, Example> = {}
  const start = sandbox.copySession(session)
  for (const operation of contract.operations) {
    // The first responses of a process take 60 ms together.
    await letOthersRun()
    const example = createExample(operation, contract, values)
    if (!example) continue
    examples[operation.id] = example
    if (longLists.has(operation.id)) continue
    // A copy, so that no example sees the writes of another, or of those who run meanwhile.
    const copy = sandbox.copySession(start)
    const request = createRequest(example.method, `/v1${example.path}`, `Bearer ${token}`, example.body)
    const response = await respond(request, { session: copy })
    const answer: unknown = await response.json()
    const isLong = Array.isArray(answer) && answer.length > MAX_SHOWN
    if (response.status === operation.status && !isLong) examples[operation.id] = { ...example, answer }
  }
  return examples
}

type Operations = (typeof operations)[OperationId]

/** The parameters of all operations, and the fields of their bodies. `createExample` chooses the status. */
type ParameterName = Exclude<Named<Operations>, 'status'>

type Named<O extends Operations> = O extends unknown
  ? keyof PathParameters<O['path']> | keyof O['query']['shape'] | keyof z.output<NonNullable<O['body']>>
  : never

/** Chooses values of parameters from records that show much. Those of customers belong to one, so that few are generated. */
function chooseValues(data: SessionData, organizationId: string) {
  const choose = <T extends TableName>(
    table: T,
    clauses: Clauses<T>,
    showsMuch: (row: Row<T>) => boolean = () => true,
  ): Row<T> | undefined => {
    const rows = data
      .select(table, clauses)
      .page()
      .filter((row) => row.organizationId === organizationId)
    return rows.find(showsMuch) ?? rows[0]
  }
  const customer = choose('customers', [])
  const ofCustomer = [['customerId', customer?.id ?? 0]] as const
  const role = customer?.memberRoles.find(({ memberIds }) => memberIds.length > 0)
  const source = customer?.sources[0]
  const meeting = choose('meetings', ofCustomer, ({ hasTranscript }) => hasTranscript)
  const automation = choose(
    'automations',
    [],
    ({ id }) => data.select('automations', [['parentId', id]]).total > 0,
  )
  return {
    organizationId,
    memberId: role?.memberIds[0] ?? choose('members', [])?.id,
    memberRoleId: choose('memberRoles', [], ({ key }) => key === role?.key)?.id,
    customerId: customer?.id,
    updatedSince: customer?.updatedDate ?? SOME_TIME,
    sourceKey: source?.key ?? 'none',
    sourceExternalId: [source?.externalId ?? 'none'],
    segment: [customer?.segment || 'none'],
    domain: [customer?.domain || 'none'],
    country: [customer?.country || 'none'],
    region: [customer?.region || 'none'],
    city: [customer?.city || 'none'],
    meetingId: meeting?.id,
    minStartDate: meeting?.startDate ?? SOME_TIME,
    signalId: choose('signals', ofCustomer)?.id,
    scope: 'all',
    categoryId: choose('noteCategories', [], ({ isActive }) => isActive)?.id,
    content: 'Called them.',
    briefId: (choose('briefContents', ofCustomer) ?? { briefId: choose('briefs', [])?.id }).briefId,
    productId: choose('productMetrics', [])?.productId,
    automationId: automation?.id,
    triggerId: automation?.triggers[0]?.id,
    actionId: automation?.actions[0]?.id,
    ...PAGE,
  } satisfies Readonly<Record<ParameterName, unknown>>
}

const SOME_TIME = '2026-01-01T00:00Z'

/** Creates the example of an operation; undefined if there are no such records. A response shows a list without filters. */
function createExample(
  { method, path, query, endpoint }: Operation,
  contract: Contract,
  chosen: ReturnType<typeof chooseValues>,
): Example | undefined {
  const { signalStatuses, customerStatuses } = contract.settings
  const isSignals = endpoint.resource.table === 'signals'
  const { names } = isSignals ? getSignalNaming(signalStatuses) : getCustomerNaming(customerStatuses)
  const values: Readonly<Record<string, unknown>> = { ...chosen, status: names[0] }
  const take = (keys: readonly string[]) => Object.fromEntries(keys.map((name) => [name, values[name]]))
  const inPath = take(listPathNames(path))
  if (Object.values(inPath).includes(undefined)) return undefined
  const inQuery = Object.keys(query.shape)
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(inPath[name])))
  const { body } = endpoint
  return {
    method,
    path: inQuery.includes('limit') ? `${named}?offset=${PAGE.offset}&limit=${PAGE.limit}` : named,
    parameters: { ...inPath, ...(inQuery.includes('limit') && PAGE) },
    filters: take(inQuery.filter((name) => !(name in PAGE))),
    ...(body instanceof z.ZodObject && { body: contract.codec(body).encode(take(Object.keys(body.shape))) }),
  }
}

export const serviceDocumentRoutes = (operationId: string) =>
  new Hono<ControlEnv>().get(
    '/',
    documentRoute(operationId, 'Read the OpenAPI document of the service', OpenApiDocument),
    async (c) => {
      const document = await createServiceDocument(c)
      c.header('access-control-allow-origin', '*')
      return c.json({ ...document, servers: [{ url: createBaseUrl(c.var.session.id, readOrigin(c)) }] })
    },
  )
