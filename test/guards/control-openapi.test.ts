import { expect, it } from 'vitest'

import {
  controlExamples,
  createFresh,
  listSteps,
  runExample,
  type ControlExample,
} from '../../docs/.vitepress/control-examples.ts'
import { createLabControl } from '../../src/lab/control.ts'
import { expectProblem, openSandbox } from '../support.ts'
import { createResponseValidator, type Document, listOperations } from './openapi-document.ts'

const sandbox = await openSandbox()

/** Sends a request of the control plane. */
function send(method: string, target: string, body?: unknown): Promise<Response> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) }
  return sandbox.fetch(new Request(`http://sandbox${target}`, init))
}

const document = (await (await send('GET', '/_sandbox/openapi.json')).json()) as Document
const faults = createResponseValidator(document)

const operations = listOperations(document)

/** The routes that respond with a page, its files or a redirect to it. */
const page = /^\/(?:_sandbox\/?|docs.*|llms\.txt|_sandbox\/(?:assets|docs).*)?$/

it('describes every route of the control plane except the pages', () => {
  const { routes } = createLabControl()
  const paths = new Set(
    routes
      .filter(({ method, path }) => method !== 'ALL' && !page.test(path))
      .map(({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`),
  )
  const described = operations.map(({ method, path }) => `${method} ${path}`)
  expect(described.toSorted()).toEqual([...paths].toSorted())
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
})

it('describes every parameter of a path', () => {
  for (const { path, parameters } of operations) {
    const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    expect(names).toEqual(Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name))
  }
})

/** Calls of other forms than those that the reference shows. */
const variants: readonly (readonly [operationId: string, ControlExample])[] = [
  [
    'addFaults',
    {
      target: '/_sandbox/faults?first=true',
      body: [{ profile: 'flaky' }, { rateLimit: { requests: 1, windowSeconds: 1 } }, { gate: true }],
    },
  ],
  ['addFaults', { target: '/_sandbox/faults', body: { status: 503, delayMs: { min: 0, max: 1 } } }],
  // With a warning, and without a caller.
  [
    'listRequests',
    {
      target: '/_sandbox/requests',
      before: [
        { method: 'GET', target: '/v1/members/me?colour=red' },
        { method: 'GET', target: '/v1/' },
      ],
    },
  ],
  ['createRecords', { target: '/_sandbox/data/customers', body: [{ name: 'One' }, { name: 'Two' }] }],
  ['listRecords', { target: '/_sandbox/data/signals?limit=2&organizationId=harbor' }],
  [
    'ensureSession',
    {
      target: '/_sandbox/sessions/y',
      before: [{ method: 'PUT', target: '/_sandbox/sessions/y', body: { name: 'Y' } }],
    },
  ],
  [
    'openSession',
    { target: '/_sandbox/sessions', body: { name: 'X', future: 'living', faults: [{ status: 503 }] } },
  ],
  [
    'judgeSync',
    {
      target: '/_sandbox/sync/verdict?as=1',
      body: { copy: { customers: [1] }, ignore: ['city'] },
      before: [{ method: 'GET', target: '/v1/organizations/harbor/customers' }],
    },
  ],
]

it('describes the response of every call', async () => {
  const open = await createFresh({ size: 'small' })
  for (const [operationId, example] of [...Object.entries(controlExamples), ...variants]) {
    const operation = operations.find((one) => one.operationId === operationId)
    if (!operation) throw new Error(`There is no operation ${operationId}.`)
    // A stream has no end that a schema could describe.
    if (operationId === 'streamRequests') continue
    const { path, method } = operation
    const steps = listSteps(method.toUpperCase(), example)
    const response = await runExample(steps, (await open(steps)).fetch)
    const text = await response.text()
    const { status } = response
    expect(`${status}`, `the status of ${operationId}: ${text}`).toMatch(/^20[014]$/)
    expect(operation.responses).toHaveProperty(`${status}`)
    const mediaType = response.headers.get('content-type') ?? ''
    const found =
      status === 204 ? [] : faults({ path, method }, { status, mediaType, body: JSON.parse(text) })
    expect(found, `the response of ${operationId}`).toEqual([])
  }
  const examples = Object.keys(controlExamples).toSorted()
  expect(examples).toEqual(operations.map(({ operationId }) => operationId).toSorted())
})

it('every call refuses a query parameter that it does not know, by its name', async () => {
  for (const [operationId, { target, body }] of Object.entries(controlExamples)) {
    if (!target.startsWith('/_sandbox/')) continue
    const { method = '' } = operations.find((one) => one.operationId === operationId) ?? {}
    const separator = target.includes('?') ? '&' : '?'
    const sent = method === 'get' ? undefined : (body ?? {})
    const response = await send(method.toUpperCase(), `${target}${separator}limitt=5`, sent)
    const { errors = [] } = await expectProblem(response, 'invalid_request')
    const error = { in: 'query', name: 'limitt', message: expect.stringContaining('is not known') }
    expect({ operationId, errors }).toMatchObject({ operationId, errors: [error] })
  }
})

it('describes every error', async () => {
  const failing = [
    ['get', '/_sandbox/faults/{id}', await send('GET', '/_sandbox/faults/x')],
    ['post', '/_sandbox/faults', await send('POST', '/_sandbox/faults', { status: 1 })],
    ['get', '/_sandbox/data/{collection}/{id}', await send('GET', '/_sandbox/data/customers/x')],
  ] as const
  for (const [method, path, response] of failing) {
    const mediaType = response.headers.get('content-type') ?? ''
    const answer = { status: response.status, mediaType, body: await response.json() }
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(faults({ path, method }, answer)).toEqual([])
  }
})

it.each(['/openapi.json', '/_sandbox/openapi.json'])(
  'generators of clients can read %s: it names no class of statuses, and escapes no slash in a pattern',
  async (path) => {
    const text = await (await sandbox.fetch(new Request(`http://sandbox${path}`))).text()
    // Generators write `4XX` as a number, and break the literal of such a pattern.
    expect(text.match(/"[1-5]XX"|"pattern":"[^"]*\\\\\/[^"]*"/g)).toBeNull()
  },
)
