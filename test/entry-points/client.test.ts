import { expect, expectTypeOf, it, vi } from 'vitest'

import { createClient, WorkspaceError } from '../../src/client.ts'
import { responseSchema } from '../../src/control/service-openapi.ts'
import type { Automation, Customer, Member, Sandbox } from '../../src/index.ts'
import { operations } from '../../src/service/index.ts'
import { getExample, listOperations, readDocument } from '../guards/openapi-document.ts'
import { serve } from '../sandbox/control-support.ts'
import { openSandbox, tokens } from '../support.ts'

const harbor = { organizationId: 'harbor' }
const first = { ...harbor, customerId: 1 }

type Fetch = (request: Request) => Promise<Response>

/** Creates a client without a server. */
function clientOf(sandbox: { readonly fetch: Fetch }, token: string = tokens.mara) {
  return createClient({ baseUrl: 'http://sandbox/v1', token, fetch: (request) => sandbox.fetch(request) })
}

/** Creates a client that always gets the same response. */
function answered(body: string, init?: ResponseInit) {
  const fetch = vi.fn<Fetch>(async () => new Response(body, init))
  return { fetch, client: createClient({ baseUrl: 'http://sandbox/v1/', token: 't', fetch }) }
}

/** Collects everything that is iterated over. */
async function collected<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const value of values) all.push(value)
  return all
}

const refusal = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  )

/** Calls every operation once, with the examples of the OpenAPI document. */
async function everyAnswer(sandbox: Sandbox): Promise<Record<string, unknown>> {
  const calls = new Map<string, unknown>(Object.entries(clientOf(sandbox)))
  const answers: Record<string, unknown> = {}
  for (const { operationId, parameters, requestBody } of listOperations(await readDocument(sandbox))) {
    const required = parameters.filter((parameter) => parameter.required)
    const call = calls.get(operationId)
    if (typeof call !== 'function') throw new TypeError(`The client has no function ${operationId}.`)
    answers[operationId] = await call({
      ...Object.fromEntries(required.map(({ name, examples }) => [name, getExample(examples)])),
      ...(requestBody && { body: getExample(requestBody.content['application/json'].examples) }),
    })
  }
  return answers
}

it('has a function for every operation, whose result fits the contract', async () => {
  const answers = await everyAnswer(await openSandbox())
  expect(Object.keys(answers).toSorted()).toEqual(Object.keys(operations).toSorted())
  for (const operation of Object.values(operations)) {
    const parsed = responseSchema(operation).safeParse(answers[operation.id])
    expect(parsed.success, `${operation.id}: ${JSON.stringify(parsed.error?.issues)}`).toBe(true)
  }
  expect(answers['createCustomerNote']).toMatchObject({ createdById: 1 })
})

it('is typed from the contract', async () => {
  const client = clientOf(await openSandbox())
  expectTypeOf(client.getCurrentMember).returns.resolves.toEqualTypeOf<Member>()
  expectTypeOf(client.listMembers).returns.resolves.toEqualTypeOf<Member[]>()
  expectTypeOf(client.getAutomation).returns.resolves.toEqualTypeOf<Automation>()
  expectTypeOf(client.listCustomers).returns.resolves.toEqualTypeOf<{
    items: Customer[]
    totalCount: number
  }>()
  expectTypeOf(client.each.listCustomers).returns.toEqualTypeOf<AsyncIterable<Customer>>()
  // @ts-expect-error -- a member's id is required
  await refusal(client.getMember(harbor))
  // @ts-expect-error -- ids are numbers
  await refusal(client.getMember({ ...harbor, memberId: '2' }))
  // @ts-expect-error -- a body is required
  await refusal(client.createCustomerNote(first))
  // @ts-expect-error -- the operation has no such parameter
  await refusal(client.listSignals({ ...harbor, segment: ['Enterprise'] }))
  // @ts-expect-error -- only lists with pagination can be read to their end
  expect(client.each.listMembers).toBeUndefined()
})

it('sends every parameter in the form that the service reads', async () => {
  const { fetch, client } = answered('{"items":[],"totalCount":0}')
  await client.listCustomers({
    organizationId: 'a/b c',
    offset: 5,
    limit: 10,
    scope: 'mine',
    segment: ['Mid & Market', 'Enterprise'],
    updatedSince: '2026-01-01T00:00Z',
    city: undefined,
  })
  const [request] = fetch.mock.calls[0] ?? []
  expect(request?.url).toBe(
    'http://sandbox/v1/organizations/a%2Fb%20c/customers?offset=5&limit=10&scope=mine&updatedSince=2026-01-01T00%3A00Z&segment=Mid+%26+Market&segment=Enterprise',
  )
  expect(Object.fromEntries(request?.headers ?? [])).toEqual({ authorization: 'Bearer t' })
})

it('reads every page of a list', async () => {
  const sandbox = await openSandbox()
  const asked: string[] = []
  const client = clientOf({
    fetch: (request) => {
      asked.push(new URL(request.url).search)
      return sandbox.fetch(request)
    },
  })
  const { items, totalCount } = await client.listCustomers({ ...harbor, limit: 250 })
  expect(totalCount).toBe(25)
  asked.length = 0
  const all = await collected(client.each.listCustomers({ ...harbor, limit: 10 }))
  expect(all).toEqual(items)
  expect(asked).toEqual(['?offset=0&limit=10', '?offset=10&limit=10', '?offset=20&limit=10'])
  asked.length = 0
  expect(await collected(client.each.listCustomers({ ...harbor, offset: 20 }))).toEqual(items.slice(20))
  expect(asked).toEqual(['?offset=20&limit=250'])
})

it('rejects with the details of an error response', async () => {
  const client = clientOf(await openSandbox())
  const error = await refusal(client.listCustomers({ ...harbor, limit: 251 }))
  expect(error).toBeInstanceOf(WorkspaceError)
  expect(error).toMatchObject({
    name: 'WorkspaceError',
    message: expect.stringMatching(/^listCustomers returned 400: .*limit/),
    status: 400,
    code: 'invalid_request',
    errors: [{ in: 'query', name: 'limit', message: 'must be at most 250' }],
  })
  const stranger = clientOf(await openSandbox(), 'sbx_nobody')
  expect(await refusal(stranger.getCurrentMember())).toMatchObject({ status: 401, code: 'unauthorized' })
})

it.each([
  [422, '{"errors":null}', 'getCurrentMember returned 422'],
  [422, '{"detail":[{"loc":["query","limit"],"msg":"too large"}]}', 'getCurrentMember returned 422'],
  [400, '{"detail":null,"errors":[{"field":"limit"},5]}', 'getCurrentMember returned 400'],
  [400, '{"error":{"code":7,"message":"Too large"},"errors":{}}', 'getCurrentMember returned 400: Too large'],
  [502, '<html>\n<h1>502 Bad Gateway</h1>', 'getCurrentMember returned 502'],
  [500, '"busy"', 'getCurrentMember returned 500'],
  [201, '{}', 'getCurrentMember returned 201'],
  [202, 'later', 'getCurrentMember returned 202 without JSON'],
  [200, '<html>', 'getCurrentMember returned 200 without JSON'],
])('rejects with %i %s of another service', async (status, body, message) => {
  const error = await refusal(answered(body, { status }).client.getCurrentMember())
  expect(error).toBeInstanceOf(WorkspaceError)
  expect(error).toMatchObject({ message, status, body, code: undefined, errors: [] })
})

it.each(['', undefined])('asks for a base URL if it gets %o', (baseUrl) => {
  const options: { readonly baseUrl: string } = JSON.parse(JSON.stringify({ baseUrl }))
  const message = 'createClient needs a baseUrl, such as http://127.0.0.1:4500/v1, or /v1 in a page'
  const got = `${message} (got ${JSON.stringify(baseUrl)}).`
  expect(() => createClient({ ...options, token: tokens.mara })).toThrow(got)
})

it('aborts with its signal', async () => {
  const running = await serve()
  const client = createClient({ baseUrl: running.baseUrl, token: tokens.mara })
  expect(await client.getCurrentMember()).toMatchObject({ id: 1 })
  const fault = { operationId: 'getCurrentMember', malfunction: 'hang' }
  await fetch(`${running.url}/_sandbox/faults`, { method: 'POST', body: JSON.stringify(fault) })
  const late = refusal(client.getCurrentMember({}, { signal: AbortSignal.timeout(50) }))
  expect(await late).toMatchObject({ name: 'TimeoutError' })

  const { fetch: never, client: inProcess } = answered('{}')
  const reason = new Error('Not any more')
  expect(await refusal(inProcess.getCurrentMember({}, { signal: AbortSignal.abort(reason) }))).toBe(reason)
  expect(never).not.toHaveBeenCalled()
})

it('takes undefined for each option that may be left out', async () => {
  const { fetch } = await openSandbox()
  const client = createClient({ baseUrl: 'http://sandbox/v1', token: tokens.mara, session: undefined, fetch })
  expect(await client.getCurrentMember({}, { signal: undefined, headers: undefined })).toMatchObject({
    id: 1,
  })
  expect(() => createClient({ baseUrl: '', token: '', fetch: undefined })).toThrow('needs a baseUrl')
})

it('calls a session by header and in process', async () => {
  const sandbox = await openSandbox()
  const session = sandbox.session()
  const body = { categoryId: 1, content: 'Grüße: "100 %"' }
  await clientOf(session).createCustomerNote({ ...first, body })
  const byHeader = createClient({
    baseUrl: 'http://sandbox/v1',
    token: tokens.mara,
    session: session.id,
    fetch: (request) => sandbox.fetch(request),
  })
  const contents = async (client: typeof byHeader) =>
    (await collected(client.each.listCustomerNotes(first))).map(({ content }) => content)
  expect(await contents(byHeader)).toContain('Grüße: "100 %"')
  expect(await contents(clientOf(sandbox))).not.toContain('Grüße: "100 %"')
})

it('iterates over lists that the service sends as bare arrays', async () => {
  const sandbox = await openSandbox()
  const session = sandbox.session({ assumptions: { pages: 'array' } })
  const names = async (limit?: number) => {
    const briefs = await collected(clientOf(session).each.listBriefs({ ...harbor, ...(limit && { limit }) }))
    return briefs.map(({ id }) => id)
  }
  const all = await names()
  expect(all.length).toBeGreaterThan(2)
  expect(await names(2)).toEqual(all)
  expect(await names(all.length)).toEqual(all)
})

it('takes the 201 of a POST, if the assumptions have one', async () => {
  const session = (await openSandbox()).session({ assumptions: { createStatus: 201 } })
  const body = { categoryId: 1, content: 'Created' }
  expect(await clientOf(session).createCustomerNote({ ...first, body })).toMatchObject({ content: 'Created' })
})

it('sends additional headers, but no other token', async () => {
  const { fetch, client } = answered('{}')
  await client.getCurrentMember({}, { headers: { Authorization: 'Bearer other', Prefer: 'code=503' } })
  const [request] = fetch.mock.calls[0] ?? []
  expect(Object.fromEntries(request?.headers ?? [])).toEqual({
    authorization: 'Bearer t',
    prefer: 'code=503',
  })
})
