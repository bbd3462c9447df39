import { gzipSync } from 'node:zlib'

import { expect, it } from 'vitest'

import { SandboxError } from '../../src/index.ts'
import { openSandbox as openSandboxOver } from '../../src/sandbox/sandbox.ts'
import { Storage } from '../../src/store/disk/storage.ts'
import {
  as,
  createJsonPost,
  customers,
  expectInvalid,
  expectProblem,
  home,
  note,
  notes,
  openSandbox,
  type Problem,
  type tokens,
} from '../support.ts'

const fixture = { extends: 'empty', customers: [{ id: 1 }] }
const asJson = { 'content-type': 'application/json' }

const sandbox = await openSandbox({ fixture })
const mara = as(sandbox, 'mara')

it('returns a problem with type, title, status, detail and code (assumed A-05)', async () => {
  const response = await mara.send(`${customers}/2`)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(await response.json()).toEqual({
    type: 'urn:workspace-sandbox:problem:not_found',
    title: 'Not found',
    status: 404,
    detail: 'The record that the path names does not exist.',
    code: 'not_found',
  })
})

it('returns the place and message of each error in a 400 (assumed A-05)', async () => {
  const response = await mara.send(`${customers}?limit=251&memberRoleId=1`)
  const problem = await expectProblem(response, 'invalid_request')
  expect(Object.keys(problem)).toEqual(['type', 'title', 'status', 'detail', 'code', 'errors'])
  expect(problem.errors).toEqual([
    { in: 'query', name: 'limit', message: 'must be at most 250' },
    { in: 'query', name: 'memberRoleId', message: 'must be supplied together with memberId' },
  ])
  expect(problem.detail).toContain('query limit: must be at most 250')
})

it.each([
  ['signals?scope=x', 'scope', 'must be one of all, team, mine'],
  ['customers?offset=-1', 'offset', 'must be 0 or more'],
  ['customers?offset=-0', 'offset', 'must be a single whole number'],
  ['customers?limit=-5', 'limit', 'must be greater than 0'],
  ['customers/-3', 'customerId', 'must be greater than 0'],
  ['customers?offset=1&offset=2', 'offset', 'must be given once'],
  ['customers?updatedSince=2026-01-01T00:00Z&updatedSince=x', 'updatedSince', 'must be given once'],
  ['customers?memberId=1&memberId=1', 'memberId', 'must be given once'],
])('says what is wrong with a parameter in %s (assumed A-06)', async (path, name, message) => {
  const { errors } = await expectProblem(await mara.send(`${home}/${path}`), 'invalid_request')
  expect(errors).toEqual([{ in: path.includes('?') ? 'query' : 'path', name, message }])
})

const extraSlash = 'There is no endpoint at this path. Remove the extra slash.'

it.each([
  [`${home}/custmers`, 'GET /v1/organizations/{organizationId}/customers'],
  ['/customers', 'GET /v1/organizations/{organizationId}/customers.'],
  [`${home}/roles`, 'GET /v1/organizations/{organizationId}/member-roles.'],
  [`${home}/metrics`, 'GET /v1/organizations/{organizationId}/products/{productId}/metrics.'],
  [`${home}/tasks`, 'There is no endpoint at this path. GET /openapi.json lists every endpoint.'],
  [`${home}/meetings`, 'GET /v1/organizations/{organizationId}/customers/{customerId}/meetings.'],
  [`${home}/members/`, extraSlash],
  [`${notes}//`, extraSlash],
  ['/organizations//harbor/members', extraSlash],
  [`/${home}/members`, ''],
  ['/organizations//members', ''],
  ['/Organizations/harbor/members', ''],
])(
  'returns 404 for the unknown path %s, with the nearest endpoint or the mistake (assumed A-05)',
  async (path, detail) => {
    expect((await expectProblem(await mara.send(path), 'not_found')).detail).toContain(detail)
  },
)

it('returns 405 for another method, with the allowed ones (assumed A-05)', async () => {
  for (const [path, method, allowed] of [
    ...['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((other) => [customers, other, 'GET, HEAD'] as const),
    [notes, 'DELETE', 'GET, HEAD, POST'],
  ] as const) {
    const response = await mara.send(path, { method })
    expect(response.headers.get('allow')).toBe(allowed)
    const { detail } = await expectProblem(response, 'method_not_allowed')
    expect(detail).toContain(`allowed: ${allowed}`)
  }
})

const meetings = `${customers}/0/meetings?limit=0`
const missing = `${customers}/2/notes`
const asText = { 'content-type': 'text/plain' }

/** Requests with several faults, by the one that is reported: a code, or the place in an invalid request. */
const faulty: readonly (readonly [keyof typeof tokens, path: string, fault: string, init?: RequestInit])[] = [
  ['nobody', '/nowhere', 'not_found', { headers: { 'sandbox-session': 'nothing' } }],
  ['nobody', '/nowhere', 'unauthorized'],
  ['nobody', '/members/me', 'unauthorized', { method: 'DELETE' }],
  ['nobody', '/organizations/quill/members/0?x', 'unauthorized'],
  ['omar', `${home}/nowhere`, 'not_found', { method: 'DELETE' }],
  ['omar', `${home}/members`, 'method_not_allowed', { method: 'DELETE' }],
  ['omar', meetings, 'forbidden'],
  ['mara', meetings, 'path customerId'],
  ['mara', `${customers}/2/meetings?limit=0`, 'query limit'],
  ['mara', `${customers}/2/meetings?limit=1`, 'not_found'],
  ['mara', missing, 'not_found', { method: 'POST', body: 'x' }],
  ['mara', missing, 'not_found', { method: 'POST', body: 'x'.repeat(2_000_000) }],
  ['mara', notes, 'payload_too_large', { method: 'POST', headers: asText, body: 'x'.repeat(1_048_577) }],
  ['mara', notes, 'unsupported_media_type', { method: 'POST', headers: asText, body: '{' }],
  ['mara', notes, 'body ', { method: 'POST', headers: asJson, body: '{' }],
]

it('checks session, caller, path, method, organization, ids, query, record and the size, type and content of a body in this order (assumed A-04)', async () => {
  for (const [name, path, fault, init] of faulty) {
    const response = await as(sandbox, name).send(path, init)
    const { code, errors = [] }: Problem = JSON.parse(await response.text())
    const [error] = errors
    expect(error ? `${error.in} ${error.name}` : code, `${path} by ${name}`).toBe(fault)
  }
})

it('rejects a body with another type or charset, or without a type (assumed A-17)', async () => {
  const body = new TextEncoder().encode(JSON.stringify(note))
  await expectProblem(await mara.send(notes, { method: 'POST', body }), 'unsupported_media_type')
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/merge-patch+json',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json; charset="utf-8',
    'application/json; charset=',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json charset=utf-8',
    'application/json; =utf-8',
    'application/json, text/plain',
  ]
  for (const type of types) {
    const response = await mara.send(notes, { method: 'POST', headers: { 'content-type': type }, body })
    await expectProblem(response, 'unsupported_media_type')
  }
  expect(await mara.get(notes)).toMatchObject({ totalCount: 0 })
})

it('rejects a compressed body and says so (assumed A-17)', async () => {
  const client = as(sandbox.session(), 'mara')
  const send = (encoding: string, body: string | Uint8Array<ArrayBuffer>) =>
    client.send(notes, { method: 'POST', headers: { ...asJson, 'content-encoding': encoding }, body })
  const zipped = new Uint8Array(gzipSync(JSON.stringify(note)))
  for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'identity, gzip']) {
    const response = await send(encoding, zipped)
    expect(response.headers.get('accept-encoding')).toBe('identity')
    const { detail } = await expectProblem(response, 'unsupported_media_type')
    expect(detail).toContain(`Content-Encoding \`${encoding}\``)
  }
  expect(await client.get(notes)).toMatchObject({ totalCount: 0 })
  expect((await send('Identity', JSON.stringify(note))).status).toBe(200)
})

it('accepts application/json in UTF-8, however it is spelled (assumed A-17)', async () => {
  const client = as(sandbox.session(), 'mara')
  const types = [
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset="UTF-8"',
    'application/json; charset=UTF8',
    'application/json; charset="utf8"',
    'application/json;',
    'application/json; charset=utf-8;',
    'application/json ; charset=utf-8 ; ; profile="a;b=\\"c"',
    'application/json;\tcharset=utf-8',
    'application/json; version=1; charset="u\\tf-8"',
    'application/json; ieee754compatible=true; odata.metadata=minimal',
  ]
  for (const type of types) {
    const init = { method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(note) }
    expect((await client.send(notes, init)).status, `for ${type}`).toBe(200)
  }
})

it('rejects a body that is not UTF-8, or not JSON (assumed A-17)', async () => {
  const latin = Uint8Array.from(Buffer.from(JSON.stringify({ ...note, content: 'Köln' }), 'latin1'))
  await expectInvalid(await mara.send(notes, { method: 'POST', headers: asJson, body: latin }), 'body ')
  for (const body of ['', 'x', '{"categoryId":1,}', "{'categoryId':1}", '{"content":"\u0001"}', '1 2']) {
    await expectInvalid(await mara.send(notes, { method: 'POST', headers: asJson, body }), 'body ')
  }
  expect(await mara.get(notes)).toMatchObject({ totalCount: 0 })
})

it('stores nothing for a rejected request (assumed A-05)', async () => {
  await as(sandbox, 'omar').send(notes, createJsonPost(note))
  await as(sandbox, 'nobody').send(notes, createJsonPost(note))
  await mara.send(notes, createJsonPost({ ...note, more: true }))
  expect(await mara.get(notes)).toEqual({ items: [], totalCount: 0 })
})

/** Creates a storage in which every write fails. */
function createFailingStorage(error: Error): Storage {
  return Object.assign(new Storage(), {
    append: async () => {
      throw error
    },
  })
}

it('returns 500 for an internal failure, without details (assumed A-05)', async () => {
  const storage = createFailingStorage(
    new TypeError("Cannot read properties of undefined (reading '/home/ann/data')"),
  )
  const client = as(await openSandboxOver({ size: 3, fixture }, { storage }), 'mara')
  const problem = await expectProblem(await client.send(notes, createJsonPost(note)), 'internal_error')
  expect(problem.detail).toBe('The sandbox failed to answer this request; this is a bug in it.')
  expect(Object.keys(problem)).toEqual(['type', 'title', 'status', 'detail', 'code'])
})

it.for([
  [507, 'storage_full', 'if there is no room for a note'],
  [503, 'storage_unavailable', 'if a note cannot be stored'],
] as const)('returns %i %s %s, and keeps serving reads (assumed A-05)', async ([, code]) => {
  const storage = createFailingStorage(new SandboxError(code, 'It cannot be written.'))
  const client = as(await openSandboxOver({ size: 3, fixture }, { storage }), 'mara')
  await expectProblem(await client.send(notes, createJsonPost(note)), code)
  expect(await client.get(notes)).toEqual({ items: [], totalCount: 0 })
})

it('does not limit the rate of requests (assumed A-36)', async () => {
  const requests = Array.from({ length: 500 }, () => mara.send('/members/me'))
  const statuses = (await Promise.all(requests)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200]))
})
