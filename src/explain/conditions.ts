import * as z from 'zod'

import { listPathNames } from '../contract/operation.ts'
import { getCustomerNaming } from '../contract/statuses.ts'
import type { SandboxError } from '../core/errors.ts'
import { lazyObject } from '../core/lazy-schema.ts'
import { capitalize } from '../core/words.ts'
import { enumerate } from '../core/words.ts'
import type { ScenarioAct } from '../journal/entry.ts'
import type { Contract } from '../resources/contract.ts'
import type { Call } from '../resources/endpoint.ts'
import type { RouteMatch } from '../resources/match-route.ts'
import { findMembersInScope } from '../resources/scopes.ts'
import { type Row, type TableName, nameRecord } from '../store/tables.ts'
import { NO_PARENT } from '../store/tables/automations.ts'
import type { Reader } from '../store/texts.ts'
import type { Lookup, Query, QueryCondition, TracingData } from '../store/tracing-data.ts'

export const ExplainedCondition = lazyObject(() => ({
  /** `token`, `operation`, `organization`, `scope`, `scenario`, `fault`, or the name of a parameter or field. */
  name: z.string(),
  /** Absent if the condition is about records and no record was given. */
  holds: z.boolean().optional(),
  text: z.string(),
  requested: z.unknown().optional(),
  found: z.unknown().optional(),
  matchesAlone: z.int().optional(),
  matchesSoFar: z.int().optional(),
}))
export type ExplainedCondition = z.infer<typeof ExplainedCondition>

/** The way of a request up to its handler; steps that it did not reach are undefined or empty. */
export interface Trace {
  readonly contract: Contract
  readonly data: TracingData
  readonly stored: Reader
  readonly scenarios: readonly ScenarioAct[]
  readonly refusal: ScenarioAct | undefined
  readonly request: string
  readonly status: number
  readonly error: SandboxError | undefined
  readonly caller: Row<'members'> | undefined
  readonly isWrite: boolean
  readonly route: RouteMatch | undefined
  readonly lookups: readonly Lookup[]
  readonly call: Call | undefined
  readonly query: Query | undefined
  readonly rows: readonly Row<TableName>[]
  readonly warnings: string[]
}

export function explainAddress(trace: Trace): ExplainedCondition[] {
  const { caller, route, error, lookups, refusal, scenarios } = trace
  if (refusal) return [{ name: 'scenario', holds: false, text: `${describeAct(refusal)}.` }]
  const reason = error?.message ?? ''
  if (!caller) return [{ name: 'token', holds: false, text: reason }]
  const { id, organizationId } = caller
  const text = `The token belongs to ${nameMember(caller)} of ${organizationId}.`
  const conditions: ExplainedCondition[] = [
    { name: 'token', holds: true, text, found: { id, organizationId } },
  ]
  if (!route) return [...conditions, { name: 'operation', holds: false, text: reason }]
  const { id: operationId } = route.endpoint
  const fact = `The operation is ${operationId}.`
  conditions.push({ name: 'operation', holds: true, text: fact, found: operationId })
  const requested = route.parameters['organizationId']
  if (requested !== undefined) {
    const holds = requested === organizationId
    const sentence = holds ? "The path's organization is the caller's." : reason
    conditions.push({ name: 'organization', holds, text: sentence, requested, found: organizationId })
    if (!holds) return conditions
  }
  conditions.push(
    ...scenarios.map((act) => ({ name: 'scenario', text: `${describeAct(act)}.` })),
    ...lookups.map((lookup) => explainLookup(lookup, trace, route, caller)),
  )
  if (conditions.some(({ holds }) => !holds)) return conditions
  return [...conditions, ...explainError(trace)]
}

function explainLookup(
  { table, id, row }: Lookup,
  trace: Trace,
  { parameters }: RouteMatch,
  { organizationId }: Row<'members'>,
): ExplainedCondition {
  const record = capitalize(nameRecord(table, id))
  const conclude = (holds: boolean, text: string, found: unknown): ExplainedCondition => {
    return { name: `${toSingular(table)}Id`, holds, text, requested: id, found }
  }
  if (!row) return conclude(false, explainAbsence(trace, table, id), null)
  const found = { id, organizationId: row.organizationId }
  if (row.organizationId !== organizationId) {
    const text = `${record} belongs to ${row.organizationId}, but the caller belongs to ${organizationId}.`
    return conclude(false, text, found)
  }
  const fields = asRecord(row)
  const owner = Object.keys(parameters).find(
    (key) => key !== 'organizationId' && key in fields && fields[key] !== Number(parameters[key]),
  )
  if (owner === undefined) return conclude(true, `${record} exists in the caller's organization.`, found)
  const text = `${record} belongs to ${owner.replace(/Id$/, '')} ${String(fields[owner])}, not to the one in the path.`
  return conclude(false, text, { ...found, [owner]: fields[owner] })
}

export function explainAbsence({ stored, scenarios }: Trace, table: TableName, id: number): string {
  if (!stored.get(table, id)) return `There is no ${nameRecord(table, id)}.`
  return `${capitalize(nameRecord(table, id))} exists, but ${enumerate(scenarios.map(describeAct))}.`
}

function explainError({ error, route, lookups }: Trace): ExplainedCondition[] {
  if (!error) return []
  if (error.errors) {
    return error.errors.map(({ in: place, name, message }) => {
      return { name, holds: false, text: `${capitalize(place)} ${name} ${message}.` }
    })
  }
  const name = listPathNames(route?.endpoint.path ?? '').at(-1) ?? 'record'
  const requested = route?.parameters[name]
  const last = lookups.at(-1)
  const text = last
    ? `${capitalize(nameRecord(last.table, last.id))} has no ${name.replace(/Id$/, '')} ${requested}.`
    : error.message
  return [{ name, holds: false, text, requested: Number(requested) }]
}

export function explainFilters(
  trace: Trace,
  query: Query,
  call: Call,
  id: number | undefined,
): ExplainedCondition[] {
  const record = id === undefined ? undefined : findRecord(trace, query, id)
  const positions = [...query.conditions.keys()]
  const inPath = positions.filter((at) => (query.conditions[at]?.index ?? '') in asRecord(call.path))
  return query.conditions.map((condition, position) => {
    const { index, wanted } = condition
    const isScope = Array.isArray(wanted) && (index === 'memberId' || index === 'customerId')
    const explained = isScope
      ? explainScope(trace, call, record)
      : explainFilter(condition, trace, call, record)
    const matchesAlone = query.count([...inPath, position])
    const matchesSoFar = query.count(positions.slice(0, position + 1))
    if (id !== undefined) return { ...explained, holds: condition.isMetBy(id), matchesAlone, matchesSoFar }
    const text = `${explained.text} ${matchesAlone} records meet this condition; ${matchesSoFar} also meet those before it.`
    return { ...explained, text, matchesAlone, matchesSoFar }
  })
}

interface ExplainedRecord {
  readonly id: number
  readonly shown: Readonly<Record<string, unknown>>
  readonly customer: Row<'customers'> | undefined
}

function findRecord(
  { contract, data, route }: Trace,
  { table }: Query,
  id: number,
): ExplainedRecord | undefined {
  const row = data.get(table, id)
  if (!row || !route) return undefined
  const { endpoint, encode } = contract.bind(route.endpoint)
  const shown = asRecord(encode(endpoint.resource.present(row, data), row))
  const customerId = table === 'customers' ? id : 'customerId' in row ? row.customerId : undefined
  return { id, shown, customer: customerId === undefined ? undefined : data.get('customers', customerId) }
}

function explainScope(
  { data, contract }: Trace,
  { caller, query }: Call,
  record: ExplainedRecord | undefined,
): ExplainedCondition {
  const requested = asRecord(query)['scope'] === 'mine' ? 'mine' : 'team'
  const members = findMembersInScope(requested, caller, data, contract.settings.team) ?? []
  const nameById = (id: number): string => {
    const member = data.get('members', id)
    return member ? nameMember(member) : nameRecord('members', id)
  }
  const team = `a member of the team of ${nameById(caller.managerId)} (${enumerate(members.map(nameById))})`
  const rule = `scope=${requested} requires that ${requested === 'mine' ? nameMember(caller) : team} has a role`
  if (!record) return { name: 'scope', text: `${rule}.`, requested }
  const { customer } = record
  const all = (customer?.memberRoles ?? []).flatMap(({ key, memberIds }) =>
    memberIds.map((memberId) => ({ key, memberId })),
  )
  const roles = all.filter(({ memberId }) => members.includes(memberId))
  const describe = (some: typeof roles): string =>
    enumerate(some.map(({ key, memberId }) => `${nameById(memberId)} has ${key}`))
  const name = nameRecord('customers', customer?.id ?? 0)
  const others = all.length > 0 ? describe(all) : 'no other member has one'
  const subject = requested === 'mine' ? 'this member has no role' : 'none of them has a role'
  const fact = roles.length > 0 ? describe(roles) : `${subject}; ${others}`
  const text = `${rule}. On ${name}, ${fact}.`
  return { name: 'scope', text, requested, found: { managerId: caller.managerId, roles } }
}

const parametersByIndex: Readonly<Record<string, readonly string[]>> = {
  assignment: ['memberId', 'memberRoleId'],
  source: ['sourceKey', 'sourceExternalId'],
  updatedDate: ['updatedSince'],
  startDate: ['minStartDate'],
  statusShare: ['status'],
}

const implicitFilters: Readonly<Record<string, string>> = {
  isActive: 'The list shows active records only',
  parentId: 'The list shows automations without a parent only',
}

function explainFilter(
  condition: QueryCondition,
  trace: Trace,
  call: Call,
  record: ExplainedRecord | undefined,
): ExplainedCondition {
  const { index, wanted } = condition
  const requestValues = { ...asRecord(call.query), ...asRecord(call.path) }
  const names = parametersByIndex[index] ?? [index]
  const name = names.at(-1) ?? index
  const value = requestValues[name] ?? toValue(wanted)
  const requested =
    names.length > 1 ? Object.fromEntries(names.map((one) => [one, requestValues[one]])) : value
  const parameters = names.map((one) => `${one}=${quote(requestValues[one])}`).join(' and ')
  const now = index === 'updatedDate' ? `, up to now (${call.now()})` : ''
  const rule =
    name in requestValues ? `The request filters by ${parameters}${now}` : (implicitFilters[name] ?? name)
  if (!record) return { name, text: `${rule}.`, requested }
  const field = readField(condition, record, requestValues['memberId'], trace)
  return { name, text: `${rule}; the record has ${quote(field, ', ')}.`, requested, found: field }
}

function readField(
  { index, getKeysOfRecord }: QueryCondition,
  { id, shown, customer }: ExplainedRecord,
  memberId: unknown,
  { contract }: Trace,
): unknown {
  const [key] = getKeysOfRecord(id)
  if (index === 'memberId' || index === 'assignment') {
    return customer?.memberRoles.flatMap((role) =>
      role.memberIds.includes(Number(memberId)) ? role.key : [],
    )
  }
  if (index === 'source') return customer?.sources
  if (index !== 'status' && index !== 'statusShare') return shown[index] ?? toValue(key)
  // A customer's status follows from its products, so only the index has it.
  return shown['status'] ?? getCustomerNaming(contract.settings.customerStatuses).getNameByKey(String(key))
}

const toValue = (key: unknown): unknown => (key === NO_PARENT ? null : key)

export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

export function describeAct({ id, name, did }: Omit<ScenarioAct, 'revision'>): string {
  return `${id} (${name}) ${did}`
}

/** Names a record in code, as in `customer`, `noteCategory`. */
export function toSingular(table: TableName): string {
  return table.replace(/ies$/, 'y').replace(/s$/, '')
}

function nameMember({ id, firstName, lastName }: Row<'members'>): string {
  return `${firstName} ${lastName} (${id})`
}

function quote(value: unknown, separator = ' or '): string {
  if (!Array.isArray(value)) return typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
  return value.length === 0 ? 'none' : value.map((part) => quote(part)).join(separator)
}
