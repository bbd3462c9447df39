import { customerStatuses as customerMeanings, getCustomerNaming } from '../../contract/statuses.ts'
import { enumerate } from '../../core/words.ts'
import type { Operation } from '../../service/contract.ts'
import type { Call } from '../../service/endpoint.ts'
import { findMembersInScope } from '../../service/scopes.ts'
import { type Clause, meets } from '../../store/selection.ts'
import type { Data } from '../../store/session-data.ts'
import { getKeys, nameRecord, type Row, type TableName } from '../../store/tables.ts'
import { NO_PARENT } from '../../store/tables/automations.ts'
import type { ExplainedCondition } from './schemas.ts'

/** Explains the conditions of a list, which its query states, for a record, or by the number of records that meet them. */
export function explainFilters(
  operation: Operation,
  call: Call,
  row: Row<TableName> | undefined,
): ExplainedCondition[] {
  const { endpoint } = operation
  const { table } = endpoint.resource
  const clauses = (endpoint.where?.(call) ?? []).filter(([, wanted]) => wanted !== undefined)
  return clauses.map((clause, at) => {
    const [index, , source = [index]] = clause
    const names = typeof source === 'string' ? [index] : source
    const isAboutMembers = names.some((name) => name === 'scope' || name === 'memberId')
    const { rule, fact } = isAboutMembers
      ? explainMembers(names, call, row)
      : {
          rule: describeFilter(clause, call),
          fact: row && describeField(clause, operation, call, row),
        }
    const matchesSoFar = call.data.select(table, clauses.slice(0, at + 1)).total
    const name = names.at(-1) ?? index
    if (row) return { name, holds: meets(table, row, [clause]), text: `${rule}${fact}.`, matchesSoFar }
    return { name, text: `${rule}. ${matchesSoFar} records meet this and what comes before.`, matchesSoFar }
  })
}

/** Explains a condition on who has a role on a customer, or on the customer of a record. */
function explainMembers(
  names: readonly string[],
  { caller, query, data, settings: { team } }: Call,
  row: Row<TableName> | undefined,
) {
  const sent: Readonly<Record<string, unknown>> = Object(query)
  const { scope, memberId, memberRoleId } = sent
  const wanted = names.includes('scope') ? (scope === 'mine' ? 'mine' : 'team') : undefined
  const members = wanted ? (findMembersInScope(wanted, caller, data, team) ?? []) : [Number(memberId)]
  const listed = enumerate(members.map((id) => nameMember(id, data)))
  const who =
    wanted === 'team' ? `a member of the team of ${nameMember(caller.managerId, data)} (${listed})` : listed
  const isOneRole = names.includes('memberRoleId')
  const key = isOneRole ? data.get('memberRoles', Number(memberRoleId))?.key : undefined
  const parameters = names.map((name) => `${name}=${String(sent[name])}`).join(' and ')
  const role = isOneRole ? `the role ${key ?? String(memberRoleId)}` : 'a role'
  const rule = `${parameters} ${names.length > 1 ? 'require' : 'requires'} that ${who} has ${role}`
  if (!row) return { rule, fact: '' }
  const customerId = 'customerId' in row ? row.customerId : row.id
  const roles = data.get('customers', customerId)?.memberRoles ?? []
  const all = roles.flatMap((one) => one.memberIds.map((member) => ({ key: one.key, member })))
  const meeting = all.filter((one) => members.includes(one.member) && (!isOneRole || one.key === key))
  const held = (meeting.length > 0 ? meeting : all).map(
    (one) => `${nameMember(one.member, data)} has ${one.key}`,
  )
  return {
    rule: `${rule} on ${nameRecord('customers', customerId)}`,
    fact: `; ${enumerate(held) || 'nobody has one'}`,
  }
}

function nameMember(id: number, data: Data): string {
  const member = data.get('members', id)
  return member ? `${member.firstName} ${member.lastName} (${id})` : nameRecord('members', id)
}

function describeFilter([index, , source = [index]]: Clause<TableName>, { path, query, now }: Call): string {
  if (typeof source === 'string') return source
  const sent: Readonly<Record<string, unknown>> = { ...Object(query), ...Object(path) }
  const until = source.includes('updatedSince') ? `, up to now (${now()})` : ''
  return `The request filters by ${source.map((name) => `${name}=${quote(sent[name])}`).join(' and ')}${until}`
}

function describeField(
  [index, , source = [index]]: Clause<TableName>,
  operation: Operation,
  { data, settings }: Call,
  row: Row<TableName>,
): string {
  const shown: Readonly<Record<string, unknown>> = Object(operation.present(row, data))
  const name: string = index
  const [key] = getKeys(operation.resource.table, index, row)
  const isStatus = source.includes('status')
  // A customer's status follows from its products, so only the index has it.
  const status = customerMeanings.find((meaning) => isStatus && meaning === key)
  const named = status && getCustomerNaming(settings.customerStatuses).getName(status, row)
  const indexed = named ?? (key === NO_PARENT ? null : key)
  const value = 'sources' in row && name === 'source' ? row.sources : shown[isStatus ? 'status' : name]
  return `; the record has ${quote(value ?? indexed)}`
}

function quote(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(quote).join(' or ')
  if (typeof value === 'object' && value !== null) return Object.values(value).map(quote).join(' ')
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
}
