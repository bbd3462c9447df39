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

it.for<readonly [input: Input, request: string, isMatched: boolean]>([
  [{}, `GET ${customer}`, true],
  [{}, 'DELETE /v1/nowhere', true],
  [{ method: 'POST' }, `GET ${customer}`, false],
  [{ method: 'POST' }, 'POST /v1/nowhere', true],
  // A path with two operations.
  [{ path: `${template}/notes` }, `GET ${customer}/notes`, true],
  [{ path: `${template}/notes` }, `POST ${customer}/notes`, true],
  [{ path: `${template}/notes`, method: 'POST' }, `GET ${customer}/notes`, false],
  // GET includes HEAD.
  [{ operationId: 'getCustomer' }, `HEAD ${customer}`, true],
  [{ method: 'GET' }, `HEAD ${customer}`, true],
  [{ method: 'HEAD', path: template }, `HEAD ${customer}`, true],
  [{ method: 'HEAD', path: template }, `GET ${customer}`, false],
  // A literal path, however it is percent-encoded, also in a part of a template.
  [{ path: '/organizations/harbor/customers/7' }, `GET ${customer}`, true],
  [{ path: '/organizations/harbor/customers/7' }, 'GET /v1/organizations/quill/customers/7', false],
  [{ path: '/organizations/%68arbor/customers/7' }, `GET ${customer}`, true],
  [{ path: '/organizations/a%2Fb/customers/7' }, 'GET /v1/organizations/a%2Fb/customers/7', true],
  [{ path: '/organizations/é b/customers/7' }, 'GET /v1/organizations/é b/customers/7', true],
  [{ path: '/organizations/harbor/customers/{customerId}' }, `GET ${customer}`, true],
  [
    { path: '/organizations/harbor/customers/{customerId}' },
    'GET /v1/organizations/quill/customers/7',
    false,
  ],
])('whether %j matches %s: %s', ([input, request, isMatched]) => {
  const [, method = '', path = ''] = /^(\w+) (.*)$/.exec(request) ?? []
  expect(matches(input, method, path)).toBe(isMatched)
})

it.each<[Input, string]>([
  [
    // @ts-expect-error -- a typo does not compile
    { operationId: 'listCustomer' },
    'operationId: `listCustomer` is not an operation. Did you mean listCustomers?',
  ],
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

it.each([
  ['/organizations/{organizationId}/custmers', '/organizations/{organizationId}/customers'],
  ['/v1/organizations/harbor/custmers/7', '/organizations/harbor/customers/7'],
  ['/organizations/harbor/customers/7/', '/organizations/harbor/customers/7'],
  ['/members/{memberId}', '/members/me'],
])('suggests for the path %s %s', (path, nearest) => {
  expect(findError({ path })).toBe(`path: matches no operation. Did you mean ${nearest}?`)
})

it('every invalid path is an error that names the path', () => {
  const paths = ['/', '//', '/v1', '/%', '/%ff', '/\ud800', '/\\', '/..', '/{}', '//evil/v1/members/me']
  for (const path of [...paths, `/${'é'.repeat(900)}`]) expect(findError({ path })).toMatch(/^path: /)
})
