import { listPathNames } from '../../contract/paths.ts'
import { type ControlEnv, createRequest } from '../../control/route.ts'
import { invalidField, readErrorBody } from '../../core/errors.ts'
import { readInSlices } from '../../core/slices.ts'
import { capitalize, enumerate, uncapitalize } from '../../core/words.ts'
import { readRecords } from '../../service/endpoint.ts'
import { decodePath, matchRoute } from '../../service/match-route.ts'
import type { Session } from '../../sessions/session.ts'
import type { Data } from '../../store/session-data.ts'
import { nameRecord, type TableName, tableNames } from '../../store/tables.ts'
import type { ScenarioAct } from '../../testing/journal/recorded-request.ts'
import { parseTarget } from '../../testing/request-target.ts'
import { explainFilters } from './filters.ts'
import type { ExplainedCondition, ExplainedResponse } from './schemas.ts'

export interface PlayedRequest {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
}

export type ExplainHost = Pick<ControlEnv['Bindings'], 'sandbox' | 'respond'>

/** Runs a request, and leaves the copy's data and time as the request has read them. */
export async function runRequest(host: ExplainHost, copy: Session, request: PlayedRequest) {
  copy.assume({ errorFormat: 'problem' })
  const target = request.path
  const look = (data: Data) => {
    return { data, snapshot: copy.data.snapshot(), now: copy.clock.now(), acts: listActs(copy) }
  }
  let observed: ReturnType<typeof look> | undefined
  // The response to a HEAD request would not say what is wrong.
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const response = await host.respond(createRequest(method, target, request.authorization), {
    session: copy,
    onAdmitted: (data) => (observed = look(data)),
  })
  const problem = response.status >= 400 ? readErrorBody(await response.text()) : undefined
  // After the response, scenarios may have changed the data, and the clock may have moved.
  if (observed) {
    copy.data.restore(observed.snapshot)
    copy.clock.state = copy.clock.stateAt(observed.now)
  }
  const [entry] = copy.requests.entries()
  const route = matchRoute(request.method, decodePath(target))
  // The body of a write is not explained, and everything else is checked before it.
  const isValid = !problem || (problem.errors.length > 0 && problem.errors.every((one) => one.in === 'body'))
  const { settings, contract } = copy
  const address = observed && isValid ? parseTarget(contract, request.method, target) : undefined
  const caller = entry?.caller
  const base = address && caller && observed && { path: address.path, caller, data: observed.data, settings }
  const record = await readInSlices(() => base && address.endpoint.find?.(base))
  const now = observed?.now ?? ''
  return {
    copy,
    request: `${request.method} ${target}`,
    status: isValid && route ? contract.bind(route.endpoint).status : response.status,
    problem: isValid ? undefined : problem,
    caller,
    route,
    acts: observed?.acts ?? listActs(copy),
    /** The data that the request read, with what scenarios show in place of it. */
    data: observed?.data,
    /** The argument of the endpoint's handler. */
    call: base && { ...base, query: address.query, record, body: undefined, now: () => now },
    warnings: listWarnings(copy),
  }
}

const listActs = ({ requests }: Session) => requests.entries().flatMap(({ scenarios }) => scenarios)

export const listWarnings = ({ requests }: Session): string[] =>
  requests.entries().flatMap(({ warnings }) => warnings.map(({ message }) => message))

/** The way of a request through a copy of a session; steps that it did not reach are undefined. */
type Run = Awaited<ReturnType<typeof runRequest>>

/** @param id the record to find in the response; undefined to explain the response as a whole */
export function explainRun(run: Run, id: number | undefined): ExplainedResponse {
  const { request, status, warnings, route, call, copy } = run
  const endpoint = route?.endpoint
  if (endpoint?.body && id !== undefined) {
    throw invalidField('id', 'must be omitted: the response is the record that this request creates')
  }
  const conditions = explainAddress(run)
  const conclude = (summary: string, facts: Partial<ExplainedResponse> = {}): ExplainedResponse => {
    const included = id === undefined ? {} : { included: false }
    return { request, status, ...included, summary, conditions, ...facts, warnings }
  }
  const outcome = `${request} returns ${status}`
  if (!endpoint || !call) return conclude(`${outcome}: ${listFailed(conditions)}`)
  if (endpoint.body) return conclude(`${outcome} if its body is valid; the body is not checked here.`)
  const { table } = endpoint.resource
  const result = readRecords(endpoint, call)
  const ids = ('page' in result ? result.page() : [result]).map((row) => row.id)
  const total = endpoint.where ? { total: ids.length } : {}
  const row = id === undefined ? undefined : call.data.get(table, id)
  if (id !== undefined && (!row || !endpoint.where)) {
    const text = row ? `The response is ${nameRecord(table, ids[0] ?? 0)}.` : explainAbsence(run, table, id)
    conditions.push({ name: 'id', holds: ids.includes(id), text })
  }
  conditions.push(...explainFilters(copy.contract.bind(endpoint), call, row))
  if (id === undefined) {
    const fact = endpoint.where ? `${ids.length} records match` : nameRecord(table, ids[0] ?? 0)
    return conclude(`${outcome}: ${fact}.`, total)
  }
  const record = capitalize(nameRecord(table, id))
  const position = ids.indexOf(id)
  if (position === -1) return conclude(`${record} is not in the response: ${listFailed(conditions)}`, total)
  if (!endpoint.where) return conclude(`${record} is in the response.`, { included: true })
  const { offset = 0, limit }: { readonly offset?: number; readonly limit?: number } = Object(call.query)
  const page = limit === undefined ? {} : { offset: Math.floor(position / limit) * limit }
  const facts = { ...total, place: { position, total: ids.length, ...page } }
  const where = `at position ${position} of ${ids.length}, counted from 0`
  const included = position >= offset && (limit === undefined || position < offset + limit)
  if (included) return conclude(`${record} is in the response, ${where}.`, { ...facts, included })
  return conclude(`${record} matches, ${where}, but is on another page: send offset=${page.offset}.`, facts)
}

/** Joins the conditions that do not hold, as the end of a sentence. */
const listFailed = (conditions: readonly ExplainedCondition[]): string =>
  uncapitalize(conditions.flatMap(({ holds, text }) => (holds === false ? text : [])).join(' '))

export const describeAct = ({ id, name, did }: Omit<ScenarioAct, 'revision'>): string =>
  `${id} (${name}) ${did}`

/** Explains the steps before the query of a list: token, operation, organization, parameters, records in the path. */
function explainAddress(run: Run): ExplainedCondition[] {
  const { caller, route, problem, data, acts } = run
  const conditions: ExplainedCondition[] = []
  const add = (name: string, holds: boolean, text = problem?.detail ?? ''): ExplainedCondition[] => {
    conditions.push({ name, holds, text })
    return conditions
  }
  const refusal = data ? undefined : acts.at(-1)
  if (refusal) return add('scenario', false, `${describeAct(refusal)}.`)
  if (!caller) return add('token', false)
  const { id, organizationId, firstName, lastName } = caller
  add('token', true, `The token belongs to ${firstName} ${lastName} (${id}) of ${organizationId}.`)
  if (!route) return add('operation', false)
  const { endpoint, parameters } = route
  add('operation', true, `The operation is ${endpoint.id}.`)
  const requested = parameters['organizationId']
  if (requested !== undefined && requested !== organizationId) return add('organization', false)
  if (requested !== undefined) add('organization', true, "The path's organization is the caller's.")
  conditions.push(...acts.map((act) => ({ name: 'scenario', text: `${describeAct(act)}.` })))
  for (const { in: part, name, message } of problem?.errors ?? []) {
    add(name, false, `${capitalize(part)} ${name} ${message}.`)
  }
  if (problem && problem.errors.length > 0) return conditions
  for (const table of tableNames.filter((one) => toIdName(one) in parameters)) {
    const name = toIdName(table)
    const row = data?.get(table, Number(parameters[name]))
    const record = capitalize(nameRecord(table, Number(parameters[name])))
    const owner = row && 'customerId' in row && 'customerId' in parameters ? row.customerId : undefined
    const isOfCustomer = owner === undefined || owner === Number(parameters['customerId'])
    const fact = !row
      ? explainAbsence(run, table, Number(parameters[name]))
      : row.organizationId !== organizationId
        ? `${record} belongs to ${row.organizationId}, but the caller belongs to ${organizationId}.`
        : !isOfCustomer && `${record} belongs to customer ${owner}, not to the one in the path.`
    add(name, !fact, fact || `${record} exists in the caller's organization.`)
  }
  if (!problem || conditions.some(({ holds }) => holds === false)) return conditions
  const part = listPathNames(endpoint.path).find((name) => /^(?:action|trigger)Id$/.test(name))
  if (part === undefined) return add('record', false)
  const automation = capitalize(nameRecord('automations', Number(parameters['automationId'])))
  return add(part, false, `${automation} has no ${part.replace('Id', '')} ${parameters[part]}.`)
}

function explainAbsence({ copy, acts }: Run, table: TableName, id: number): string {
  if (!copy.data.get(table, id)) return `There is no ${nameRecord(table, id)}.`
  return `${capitalize(nameRecord(table, id))} exists, but ${enumerate(acts.map(describeAct))}.`
}

/** Names the parameter that has the id of a record, as in `noteCategoryId`. */
const toIdName = (table: TableName): string => `${table.replace(/ies$/, 'y').replace(/s$/, '')}Id`
