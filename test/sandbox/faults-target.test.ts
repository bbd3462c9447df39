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

const [literal, foreign] = ['/organizations/harbor/customers/7', 'GET /v1/organizations/quill/customers/7']
const [slash, space] = ['/organizations/a%2Fb/customers/7', '/organizations/é b/customers/7']
const notes = { path: `${template}/notes` }

it.for<readonly [title: string, input: Input, matched: readonly string[], others: readonly string[]]>([
  ['no target matches every request, known or not', {}, [`GET ${customer}`, 'DELETE /v1/nowhere'], []],
  ['a method matches any path', { method: 'POST' }, ['POST /v1/nowhere'], [`GET ${customer}`]],
  ['a path matches each of its operations', notes, [`GET ${customer}/notes`, `POST ${customer}/notes`], []],
  ['a method narrows a path', { ...notes, method: 'POST' }, [], [`GET ${customer}/notes`]],
  ['an operation includes HEAD', { operationId: 'getCustomer' }, [`HEAD ${customer}`], []],
  ['GET includes HEAD', { method: 'GET' }, [`HEAD ${customer}`], []],
  ['HEAD is HEAD only', { method: 'HEAD', path: template }, [`HEAD ${customer}`], [`GET ${customer}`]],
  ['a literal path matches that path', { path: literal }, [`GET ${customer}`], [foreign]],
  ['a path may be percent-encoded', { path: literal.replace('h', '%68') }, [`GET ${customer}`], []],
  ['a path may have an encoded slash', { path: slash }, [`GET /v1${slash}`], []],
  ['a path need not be encoded', { path: space }, [`GET /v1${space}`], []],
  [
    'a path can be part template',
    { path: literal.replace('7', '{customerId}') },
    [`GET ${customer}`],
    [foreign],
  ],
])('%s', ([, input, matched, others]) => {
  const isMatched = (request: string): boolean => {
    const [, method = '', path = ''] = /^(\w+) (.*)$/.exec(request) ?? []
    return matches(input, method, path)
  }
  expect([...matched, ...others].filter(isMatched)).toEqual(matched)
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
  ['/members/{memberId}', '/organizations/{organizationId}/members/{memberId}'],
  ['/customers', '/organizations/{organizationId}/customers'],
])('suggests for the path %s %s', (path, nearest) => {
  expect(findError({ path })).toBe(`path: matches no operation. Did you mean ${nearest}?`)
})

it('names each path once if none is near', () => {
  const [, known = ''] = findError({ path: '/nowhere' }).split('Known are ')
  const paths = known.split(', ')
  expect(paths).toEqual([...new Set(paths)])
})

it('every invalid path is an error that names the path', () => {
  const paths = ['/', '//', '/v1', '/%', '/%ff', '/\ud800', '/\\', '/..', '/{}', '//evil/v1/members/me']
  for (const path of [...paths, `/${'é'.repeat(900)}`]) expect(findError({ path })).toMatch(/^path: /)
})
