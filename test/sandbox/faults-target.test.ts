import { expect, it } from 'vitest'

import type { OperationId } from '../../src/index.ts'
import { endpoints } from '../../src/service/index.ts'
import { matchRoute } from '../../src/service/match-route.ts'
import { FaultInput } from '../../src/testing/faults/fault.ts'
import { matchesTarget } from '../../src/testing/request-target.ts'

type Input = Pick<FaultInput, 'operationId' | 'method' | 'path'>

/** Reports whether a target matches a request. */
function matches(input: Input, method: string, path: string): boolean {
  const target = FaultInput.parse({ ...input, status: 503 })
  return matchesTarget(target, { method, path, operationId: matchRoute(method, path)?.endpoint.id })
}

/** Returns the error of a target. */
function findError(input: Input): string {
  const [issue] = FaultInput.safeParse({ ...input, status: 503 }).error?.issues ?? []
  return issue ? `${issue.path.join('.')}: ${issue.message}` : 'none'
}

const template = '/organizations/{organizationId}/customers/{customerId}'
const customer = '/v1/organizations/harbor/customers/7'

it('every operation can be targeted by its id, its path, and its path with a method', () => {
  for (const { id, method, path } of endpoints) {
    const requested = `/v1${path.replaceAll(/\{\w+\}/g, '7')}`
    for (const input of [
      { operationId: id as OperationId },
      { path },
      { method, path: `/v1${path}` },
      { operationId: id as OperationId, path },
    ]) {
      expect(matches(input, method, requested)).toBe(true)
      expect(matches(input, 'GET', '/v1/nowhere')).toBe(false)
    }
  }
})

it('a fault without a target matches every request to the service, known or not', () => {
  expect(matches({}, 'GET', customer)).toBe(true)
  expect(matches({}, 'DELETE', '/v1/nowhere')).toBe(true)
  expect(matches({ method: 'POST' }, 'GET', customer)).toBe(false)
  expect(matches({ method: 'POST' }, 'POST', '/v1/nowhere')).toBe(true)
})

it('a method narrows a path with two operations', () => {
  const path = `${template}/notes`
  expect(matches({ path }, 'GET', `${customer}/notes`)).toBe(true)
  expect(matches({ path }, 'POST', `${customer}/notes`)).toBe(true)
  expect(matches({ path, method: 'POST' }, 'GET', `${customer}/notes`)).toBe(false)
})

it('GET includes HEAD, and HEAD is HEAD only', () => {
  expect(matches({ operationId: 'getCustomer' }, 'HEAD', customer)).toBe(true)
  expect(matches({ method: 'GET' }, 'HEAD', customer)).toBe(true)
  expect(matches({ method: 'HEAD', path: template }, 'HEAD', customer)).toBe(true)
  expect(matches({ method: 'HEAD', path: template }, 'GET', customer)).toBe(false)
})

it('a literal path matches that path, however it is percent-encoded', () => {
  const path = '/organizations/harbor/customers/7'
  expect(matches({ path }, 'GET', customer)).toBe(true)
  expect(matches({ path }, 'GET', '/v1/organizations/quill/customers/7')).toBe(false)
  expect(matches({ path: '/organizations/%68arbor/customers/7' }, 'GET', customer)).toBe(true)
  for (const odd of ['/organizations/a%2Fb/customers/7', '/organizations/é b/customers/7']) {
    expect(matches({ path: odd }, 'GET', `/v1${odd}`)).toBe(true)
  }
})

it.each<[Input, string]>([
  [
    // @ts-expect-error -- a typo does not compile
    { operationId: 'listCustomer' },
    'operationId: `listCustomer` is not an operation. Did you mean listCustomers?',
  ],
  [
    { path: '/organizations/{organizationId}/custmers' },
    'path: matches no operation. Did you mean /organizations/{organizationId}/customers?',
  ],
  [
    { path: '/v1/organizations/harbor/custmers/7' },
    'path: matches no operation. Did you mean /organizations/harbor/customers/7?',
  ],
  [
    { path: '/organizations/harbor/customers/7/' },
    'path: matches no operation. Did you mean /organizations/harbor/customers/7?',
  ],
  [{ path: '/members/{memberId}' }, 'path: matches no operation. Did you mean /members/me?'],
  [{ path: 'members/me' }, 'path: must start with /'],
  [{ path: '/members/me?x=1' }, 'path: must not contain a query or fragment'],
  [{ path: '/organizations/*/customers' }, 'path: contains *; write a parameter as {customerId}'],
  [
    { path: '/organizations/:organizationId/customers' },
    'path: contains :organizationId; write a parameter as {customerId}',
  ],
  [
    { operationId: 'listCustomers', path: template },
    'path: is not the path of listCustomers, which is /organizations/{organizationId}/customers',
  ],
  [
    { operationId: 'listCustomers', method: 'POST' },
    'method: is not supported by listCustomers, which supports GET',
  ],
  [{ path: template, method: 'POST' }, 'method: is not supported by this path, which supports GET'],
])('rejects %j', (input, message) => {
  expect(findError(input)).toBe(message)
})

it('every invalid path is an error that names the path', () => {
  const paths = ['/', '//', '/v1', '/%', '/%ff', '/\ud800', '/\\', '/..', '/{}', '//evil/v1/members/me']
  for (const path of [...paths, `/${'é'.repeat(900)}`]) expect(findError({ path })).toMatch(/^path: /)
})

it('a path can be part literal, part template', () => {
  const path = '/organizations/harbor/customers/{customerId}'
  expect(matches({ path }, 'GET', customer)).toBe(true)
  expect(matches({ path }, 'GET', '/v1/organizations/quill/customers/7')).toBe(false)
})
