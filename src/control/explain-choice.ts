import * as z from 'zod'

import { customerNaming } from '../contract/statuses.ts'
import type { Call } from '../resources/endpoint.ts'
import type { Query, QueryCondition } from '../store/recording.ts'
import { NO_PARENT, type Row } from '../store/tables.ts'
import { membersInScope, type Scope } from '../store/visibility.ts'
import type { ExplainedCondition } from './explain-shape.ts'
import type { Trace } from './explain-trace.ts'
import { called, fieldsOf, listed, person, personOf, quoted } from './explain-words.ts'

/** A record as it stands beside the conditions. */
interface Subject {
  readonly id: number
  /** The record as the service shows it. */
  readonly shown: Readonly<Record<string, unknown>>
  /** The customer that the record is, or belongs to. */
  readonly customer: Row<'customers'> | undefined
}

/** What a condition says, of a record where there is one. */
type Said = Pick<ExplainedCondition, 'name' | 'text' | 'asked' | 'found'>

/** By which conditions the answer's records were chosen, and whether a record meets them. Order: the handler's. */
export function choiceConditions(
  trace: Trace,
  query: Query,
  call: Call,
  id: number | undefined,
): ExplainedCondition[] {
  const subject = id === undefined ? undefined : subjectOf(trace, query, id)
  const { conditions } = query
  const inPath = [...conditions.keys()].filter(
    (place) => (conditions[place]?.index ?? '') in fieldsOf(call.path),
  )
  return conditions.map((condition, place) => {
    const said = saidOf(condition, { trace, call, subject })
    const alone = query.count([...inPath, place])
    const left = query.count([...conditions.keys()].slice(0, place + 1))
    if (id !== undefined) return { ...said, holds: condition.isMetBy(id), alone, left }
    return {
      ...said,
      text: `${said.text} ${alone} records meet it, ${left} it and those before.`,
      alone,
      left,
    }
  })
}

function subjectOf({ contract, data, route }: Trace, { table }: Query, id: number): Subject | undefined {
  const row = data.get(table, id)
  if (!row || !route) return undefined
  const { endpoint, encode } = contract.of(route.endpoint)
  const shown = fieldsOf(encode(endpoint.resource.present(row, data)))
  const customerId = table === 'customers' ? id : 'customerId' in row ? row.customerId : undefined
  return { id, shown, customer: customerId === undefined ? undefined : data.get('customers', customerId) }
}

interface Circumstances {
  readonly trace: Trace
  readonly call: Call
  readonly subject: Subject | undefined
}

function saidOf(condition: QueryCondition, circumstances: Circumstances): Said {
  const { index, wanted } = condition
  const isList = Array.isArray(wanted)
  if (isList && (index === 'memberId' || index === 'customerId')) return scopeSaid(circumstances)
  if (index === 'memberId' || index === 'assignment') return memberSaid(circumstances)
  if (index === 'source') return sourceSaid(circumstances)
  if (index === 'updatedDate') return dateSaid('updatedSince', index, circumstances)
  if (index === 'startDate') return dateSaid('minStartDate', index, circumstances)
  if (index === 'status' || index === 'statusShare') return statusSaid(condition, circumstances)
  return valueSaid(condition, circumstances)
}

function scopeSaid({ trace: { data, contract }, call, subject }: Circumstances): Said {
  const { caller } = call
  const asked = scopeOf(call)
  const members = membersInScope(asked, caller, data, contract.settings.team) ?? []
  const who =
    asked === 'mine' ? personOf(caller) : `somebody of the team of ${person(caller.managerId, data)}`
  const team = asked === 'mine' ? '' : `, which is ${listed(members.map((id) => person(id, data)))},`
  const wanted = `scope=${asked} holds where ${who}${team} has a role.`
  if (!subject) return { name: 'scope', text: wanted, asked }
  const { customer } = subject
  const roles = rolesOn(customer, (id) => members.includes(id))
  const held = roles.map((role) => `${person(role.memberId, data)} has ${role.key}`)
  const others = rolesOn(customer, () => true).map((role) => `${person(role.memberId, data)} has ${role.key}`)
  const instead = others.length > 0 ? listed(others) : 'nobody has one'
  const fact = held.length > 0 ? listed(held) : `nobody of them has one; ${instead}`
  const text = `${wanted} On ${called('customers', customer?.id ?? 0)} ${fact}.`
  return { name: 'scope', text, asked, found: { managerId: caller.managerId, roles } }
}

function scopeOf({ query }: Call): Scope {
  const { scope } = fieldsOf(query)
  return scope === 'mine' || scope === 'team' ? scope : 'all'
}

interface Held {
  readonly key: string
  readonly memberId: number
}

/** The roles that members hold on a customer. */
function rolesOn(customer: Row<'customers'> | undefined, among: (id: number) => boolean): Held[] {
  const roles = customer?.memberRoles ?? []
  return roles.flatMap(({ key, memberIds }) => memberIds.filter(among).map((memberId) => ({ key, memberId })))
}

function memberSaid({ trace: { data }, call, subject }: Circumstances): Said {
  const { memberId, memberRoleId } = fieldsOf(call.query)
  const id = Number(memberId)
  const role = memberRoleId === undefined ? undefined : data.get('memberRoles', Number(memberRoleId))
  const isRole = memberRoleId !== undefined
  const which = !isRole ? 'a role' : role ? `the role ${role.key}` : 'a role that there is none of'
  const name = isRole ? 'memberRoleId' : 'memberId'
  const asked = isRole ? { memberId, memberRoleId } : memberId
  const wanted = `The request asks for what ${person(id, data)} has ${which} on`
  if (!subject) return { name, text: `${wanted}.`, asked }
  const found = rolesOn(subject.customer, (one) => one === id).map(({ key }) => key)
  const held = found.length > 0 ? listed(found) : 'none'
  return { name, text: `${wanted}; here it is ${held}.`, asked, found }
}

function sourceSaid({ call, subject }: Circumstances): Said {
  const { sourceKey, sourceExternalId } = fieldsOf(call.query)
  const asked = { sourceKey, sourceExternalId }
  const wanted = `The request asks for ${quoted(sourceExternalId)} of ${quoted(sourceKey)}`
  const name = 'sourceExternalId'
  if (!subject) return { name, text: `${wanted}.`, asked }
  const found = subject.customer?.sources ?? []
  const sources = found.map(({ key, externalId }) => `${externalId} of ${key}`)
  return {
    name,
    text: `${wanted}; here it is ${sources.length > 0 ? listed(sources) : 'none'}.`,
    asked,
    found,
  }
}

function dateSaid(name: string, index: string, { call, subject }: Circumstances): Said {
  const asked = fieldsOf(call.query)[name]
  const end = name === 'updatedSince' ? `, up to now, which is ${call.now()}` : ''
  const wanted = `The request asks for ${index} from ${quoted(asked)} on${end}`
  if (!subject) return { name, text: `${wanted}.`, asked }
  const found = subject.shown[index]
  return { name, text: `${wanted}; here it is ${quoted(found)}.`, asked, found }
}

/** The value that an index key stands for. */
const plain = (key: unknown): unknown => (key === NO_PARENT ? null : key)

/** What no request asks for, and the lists hold nevertheless. */
const always: Readonly<Record<string, string>> = {
  isActive: 'Only active ones are listed',
  parentId: 'Only automations that are no child of another are listed',
}

/** A customer's status follows from its products, so that only the index has it. */
function statusSaid({ keysOf }: QueryCondition, { trace: { contract }, call, subject }: Circumstances): Said {
  const name = 'status'
  const asked = fieldsOf(call.query)[name]
  const text = `The request asks for ${name} ${quoted(asked)}`
  if (!subject) return { name, text: `${text}.`, asked }
  const naming = customerNaming(contract.settings.customerStatuses)
  const found = subject.shown[name] ?? naming.nameOfKey(String(keysOf(subject.id)[0]))
  return { name, text: `${text}; here it is ${quoted(found)}.`, asked, found }
}

function valueSaid(
  { index: name, wanted, keysOf }: QueryCondition,
  { trace: { contract, route }, call, subject }: Circumstances,
): Said {
  const schema = route?.endpoint.query.parameters[name]
  const encode = schema instanceof z.ZodType ? contract.variantOf(schema).encode : (value: unknown) => value
  const given = fieldsOf(call.query)[name] ?? fieldsOf(call.path)[name]
  const asked = given === undefined ? plain(wanted) : encode(given)
  const text = given === undefined ? (always[name] ?? name) : `The request asks for ${name} ${quoted(asked)}`
  if (!subject) return { name, text: `${text}.`, asked }
  const found = subject.shown[name] ?? encode(plain(keysOf(subject.id)[0]))
  return { name, text: `${text}; here it is ${quoted(found)}.`, asked, found }
}
