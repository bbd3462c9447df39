import type { RemoteSession } from '../../src/sandbox/remote/session.ts'
import type { TableName } from '../../src/store/tables.ts'
import { tokens } from '../support.ts'

/** The arguments of each method of a session in another process, by path; `customers` stands for every collection. */
type Methods<T, Prefix extends string = ''> = {
  [K in Exclude<keyof T & string, Exclude<TableName, 'customers'>>]: T[K] extends (
    ...args: infer A
  ) => unknown
    ? { readonly [P in `${Prefix}${K}`]: A }
    : T[K] extends string
      ? never
      : Methods<T[K], `${Prefix}${K}.`>
}[Exclude<keyof T & string, Exclude<TableName, 'customers'>>]

type Merge<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never
type Arguments = Merge<Methods<RemoteSession>>
type Path = keyof Arguments

/** Methods whose last argument has no options: a record, a state, a list. */
type WithoutOptions = 'data.customers.patch' | 'faults.addAll' | 'restoreState'
type Last<A extends readonly unknown[]> = Required<A> extends readonly [...unknown[], infer L] ? L : never
type Keys<T> = T extends object ? keyof T & string : never
type Option<P extends Path> = P extends WithoutOptions ? never : Keys<Last<Arguments[P]>>

/** The arguments of a usual call, and of one for each option. */
type Calls = {
  readonly [P in Path]: { readonly usual: Arguments[P] } & { readonly [O in Option<P>]: Arguments[P] }
}

export const harbor = '/organizations/harbor'
const note = { operationId: 'createCustomerNote', count: 9 } as const
export const fault = { status: 503 } as const

/** A value of each filter for the requests of a journal. */
const filters: Calls['requests.list'] & Calls['requests.har'] = {
  usual: [],
  operationId: [{ operationId: 'listCustomers' }],
  method: [{ method: 'POST' }],
  path: [{ path: `${harbor}/customers` }],
  caller: [{ caller: 'none' }],
  status: [{ status: '4xx' }],
  since: [{ since: 1 }],
  offset: [{ offset: 2 }],
  limit: [{ limit: 1 }],
}

const copy = { customers: [{ id: 1, name: 'Acme' }] }

/** The compiler requires a call of each method, and one for each of its options, which changes the outcome. */
export const calls: Calls = {
  'clock.now': { usual: [] },
  'clock.set': { usual: ['2026-02-01T09:00Z'] },
  'clock.advance': { usual: ['P30D'] },
  'clock.tick': { usual: [undefined], by: [{ by: 'PT3M' }], on: [{ by: 'PT3M', on: 'listCustomers' }] },
  'clock.reset': { usual: [] },
  'clock.events': {
    usual: [],
    from: [{ from: '2026-01-20T00:00Z' }],
    to: [{ to: '2026-01-20T00:00Z' }],
  },
  'faults.add': {
    usual: [fault],
    operationId: [{ ...fault, operationId: 'listCustomers' }],
    method: [{ ...fault, method: 'POST' }],
    path: [{ ...fault, path: '/members/me' }],
    status: [{ status: 500 }],
    body: [{ ...fault, body: { busy: true } }],
    headers: [{ ...fault, headers: { 'x-request-id': 'r-1' } }],
    retryAfterSeconds: [{ ...fault, retryAfterSeconds: 30 }],
    retryAfterDate: [{ ...fault, retryAfterSeconds: 30, retryAfterDate: true }],
    delayMs: [{ delayMs: { min: 500, max: 2_000 } }],
    malfunction: [{ malfunction: 'truncate' }],
    reset: [{ reset: true }],
    gate: [{ gate: true }],
    sequence: [{ sequence: [503, 'pass'] }],
    repeat: [{ sequence: [503, 'pass'], repeat: true }],
    rateLimit: [{ rateLimit: { requests: 10, windowSeconds: 60 } }],
    stored: [{ ...fault, stored: true }],
    probability: [{ ...fault, probability: 0.2 }],
    profile: [{ profile: 'flaky' }],
    times: [{ ...fault, times: 2 }],
    after: [{ ...fault, after: 3 }],
  },
  'faults.addAll': { usual: [[fault, { delayMs: 2_000 }]] },
  'faults.list': { usual: [] },
  'faults.get': { usual: ['fault-2'] },
  'faults.remove': { usual: ['fault-2'] },
  'faults.clear': { usual: [] },
  'gates.list': { usual: [] },
  'gates.next': { usual: [], operationId: [{ operationId: JSON.parse('"listCustomer"') }] },
  'gates.release': { usual: ['gate-1'], status: ['gate-1', { status: 503 }] },
  'gates.releaseAll': { usual: [], status: [{ status: 503 }] },
  'scenarios.add': {
    usual: [{ name: 'page-drift' }],
    name: [{ name: 'token-expires' }],
    on: [{ name: 'page-drift', on: 'listMembers' }],
    after: [{ name: 'page-drift', after: 2 }],
    times: [{ name: 'page-drift', times: 3 }],
    count: [{ name: 'silent-change', count: 5 }],
    customerId: [{ name: 'page-drift', customerId: 2 }],
    memberId: [{ name: 'token-expires', memberId: 2 }],
    seconds: [{ name: 'late-visibility', seconds: 30 }],
    minutes: [{ name: 'token-expires', minutes: 30 }],
    requests: [{ name: 'token-expires', requests: 100 }],
    collection: [{ name: 'page-drift', collection: 'signals' }],
    field: [{ name: 'new-enum-value', field: 'customers.segment' }],
    value: [{ name: 'new-enum-value', value: 'frozen' }],
    lag: [{ name: 'late-visibility', lag: 'alternate' }],
    total: [{ name: 'wrong-total', total: 'high' }],
    scope: [{ name: 'scope-narrowed', scope: 'mine' }],
  },
  'scenarios.list': { usual: [] },
  'scenarios.remove': { usual: ['scenario-1'] },
  'scenarios.clear': { usual: [] },
  'requests.list': filters,
  'requests.clear': { usual: [] },
  'requests.verify': {
    usual: [{}],
    operationId: [note],
    method: [{ method: 'POST', count: 9 }],
    path: [{ path: `${harbor}/customers`, count: 9 }],
    caller: [{ caller: 'none', count: 9 }],
    status: [{ status: '4xx', count: 9 }],
    query: [{ query: { limit: 2 }, count: 9 }],
    body: [{ body: { categoryId: 1 }, count: 9 }],
    count: [{ count: 9 }],
    atLeast: [{ atLeast: 9 }],
    atMost: [{ atMost: 1 }],
    never: [{ never: true }],
    inOrder: [{ inOrder: [{ method: 'POST' }, { operationId: 'listCustomers' }] }],
  },
  'requests.warnings': { usual: [] },
  'requests.assertNoWarnings': { usual: [], ignore: [{ ignore: ['unread_pages'] }] },
  'requests.coverage': { usual: [] },
  'requests.har': filters,
  'data.customers.list': {
    usual: [],
    offset: [{ offset: 1 }],
    limit: [{ limit: 1 }],
    organizationId: [{ organizationId: 'quill' }],
    customerId: [{ customerId: 1 }],
    text: [{ text: 'Startup' }],
  },
  'data.customers.counts': { usual: ['segment'], organizationId: ['segment', { organizationId: 'quill' }] },
  'data.customers.get': { usual: [1] },
  'data.customers.history': { usual: [2] },
  'data.customers.put': {
    usual: [{ id: 901, name: 'Acme' }],
    organizationId: [{ name: 'Acme' }, { organizationId: 'quill' }],
  },
  'data.customers.patch': { usual: [1, { name: 'Acme' }] },
  'data.customers.delete': { usual: [2] },
  'data.customers.create': {
    usual: [[{ id: 901 }]],
    organizationId: [[{ id: 901 }], { organizationId: 'quill' }],
  },
  'data.create': {
    usual: [{ customers: [{ id: 901 }] }],
    organizationId: [{ customers: [{ id: 901 }] }, { organizationId: 'quill' }],
  },
  'data.changes': { usual: [{}], since: [{ since: 2 }], by: [{ by: 'service' }] },
  'data.undo': { usual: ['customers', 2] },
  'data.undoAll': { usual: [] },
  'sync.truth': {
    usual: ['customers'],
    as: ['customers', { as: 501 }],
    at: ['customers', { at: '2026-02-15T12:00Z' }],
    scenarios: ['customers', { scenarios: false }],
    offset: ['customers', { offset: 1 }],
    limit: ['customers', { limit: 1 }],
  },
  'sync.verdict': {
    usual: [copy],
    as: [copy, { as: 501 }],
    ignore: [copy, { ignore: ['name'] }],
    allow: [copy, { allow: ['delivered_not_stored', 'never_requested', 'unread_tail'] }],
    row: [copy, { row: ({ id }) => ({ id }) }],
  },
  explain: {
    usual: [{ path: `${harbor}/customers`, token: tokens.mara }],
    path: [{ path: `${harbor}/members`, token: tokens.mara }],
    token: [{ path: `${harbor}/customers`, token: tokens.omar }],
    method: [{ path: `${harbor}/customers`, token: tokens.mara, method: 'POST' }],
    requestId: [{ requestId: 1 }],
    id: [{ path: `${harbor}/customers`, token: tokens.mara, id: 2 }],
  },
  preview: {
    usual: [{ path: '/members/me', token: tokens.mara }],
    path: [{ path: `${harbor}/members`, token: tokens.mara }],
    token: [{ path: '/members/me', token: tokens.omar }],
  },
  saveState: { usual: [] },
  restoreState: { usual: [JSON.parse('{"format":0}')] },
  reset: { usual: [] },
  close: { usual: [] },
}
