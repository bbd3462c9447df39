import { expect, it } from 'vitest'

import { childTables } from '../../seed/dataset/generated-ids.ts'
import type { StartOptions } from '../../src/node.ts'
import { openSandbox } from '../../src/sandbox/sandbox.ts'
import { endpoints } from '../../src/service/index.ts'
import { serve, type Served } from '../sandbox/control-support.ts'
import { overrides } from '../support.ts'
import {
  createResponseValidator,
  type Document,
  findNeeded,
  getExample,
  listOperations,
  type Operation,
  type Parameter,
  type Place,
} from './openapi-document.ts'

async function fetchDocument(address: string, headers: Record<string, string> = {}): Promise<Document> {
  const response = await fetch(`${address}/openapi.json`, { headers })
  return (await response.json()) as Document
}

/** Opens a session, and creates a client that knows it only by its OpenAPI document. */
async function createRunner({ url, sandbox }: Served, assumptions: object) {
  const { id } = sandbox.session({ assumptions })
  const document = await fetchDocument(url, { 'sandbox-session': id })
  const findErrors = createResponseValidator(document)
  const token = sandbox.credentials.organizations[0]?.members[0]?.token ?? ''

  /** Sends an operation's examples with some optional parameters, and expects the documented success. */
  const send = async (operation: Place, optional: readonly Parameter[]): Promise<unknown> => {
    const { path, method, operationId, requestBody, responses } = operation
    const sent = operation.parameters.filter((one) => one.required || optional.includes(one))
    const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(readExample(sent.find((one) => one.name === name)))),
    )
    const address = new URL(`${document.servers[0]?.url}${place}`)
    for (const parameter of sent.filter((one) => one.in === 'query')) {
      const texts = [readExample(parameter)].flat().map(String)
      const spelt = parameter.explode === false ? [texts.join(',')] : texts
      for (const text of spelt) address.searchParams.append(parameter.name, text)
    }
    const body = requestBody?.content['application/json'].examples?.['answered']?.value
    const response = await fetch(address, {
      method: method.toUpperCase(),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(requestBody && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const documented = Object.keys(responses).find((status) => status.startsWith('2'))
    expect(`${response.status}`, `${operationId} answered ${text}`).toBe(documented)
    const mediaType = response.headers.get('content-type') ?? ''
    const answer = { status: response.status, mediaType, body: JSON.parse(text) }
    expect(findErrors({ path, method }, answer), `errors in ${text}`).toEqual([])
    return answer.body
  }
  return { operations: listOperations(document), send }
}

/** Reads the example of a parameter. */
function readExample({ name, examples, schema }: Partial<Parameter> = {}): unknown {
  const value = getExample(examples)
  expect(value, `the example of ${name}, which src/control/routes/service-document.ts chooses`).toBeDefined()
  expect(schema?.example, `the example of ${name} for tools that look in its schema`).toEqual(value)
  return value
}

/** Returns the documented response to the request with the examples named `answered`. */
function exampleResponse({ responses }: Operation): unknown {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  return success?.content['application/json'].examples?.['answered']?.value
}

/** Lists the optional parameters, each together with the one that it requires. */
function listOptionalSets({ parameters }: Operation): Parameter[][] {
  return parameters
    .filter(({ required }) => !required)
    .map((parameter) => parameters.filter((one) => one === parameter || one.name === findNeeded(parameter)))
}

const tenants: readonly (readonly [string, StartOptions, object])[] = [
  ['the edge cases', { size: 'small', fixture: 'edge-cases' }, {}],
  ['every assumption overridden', { size: 'small' }, overrides],
  ['another seed and size', { size: 60, seed: 7 }, {}],
  [
    'statuses with other names',
    { size: 'small' },
    { signalStatuses: { a: 'open', b: 'closed' }, customerStatuses: { x: 'active' } },
  ],
]

const isWrite = ({ method }: Place): number => Number(method !== 'get')

/** The lists without an example. */
const others = new Set(['listAutomationActionLogs', 'listAutomationTriggerLogs', 'listSignals'])

it.each(tenants)(
  'the example of an operation gets the documented response, a list’s that without filters, and it succeeds with all, the required and each optional parameter: %s',
  async (_, options, assumptions) => {
    const { operations, send } = await createRunner(await serve(options), assumptions)
    // Those that write come last.
    for (const operation of operations.toSorted((one, other) => isWrite(one) - isWrite(other))) {
      const { operationId, parameters } = operation
      const answered = parameters.filter(({ examples }) => examples?.['answered'])
      const example = exampleResponse(operation)
      const response = await send(operation, answered)
      expect(example ?? response, `response of ${operationId}`).toEqual(response)
      await send(operation, parameters)
      const plain = await send(operation, [])
      const isPaged = parameters.some(({ name }) => name === 'limit')
      if (!operationId.startsWith('list')) continue
      expect(example === undefined, `example of ${operationId}`).toBe(others.has(operationId))
      const shown = isPaged ? shorten(plain) : plain
      expect(example ?? shown, `example of ${operationId}`).toEqual(shown)
    }
    const sets = operations.flatMap((operation) =>
      listOptionalSets(operation).map((optional) => [operation, optional] as const),
    )
    for (const [operation, optional] of sets) await send(operation, optional)
    expect(operations).toHaveLength(endpoints.length)
    expect(sets.length).toBeGreaterThan(25)
  },
)

/** Keeps the first two records of a page. */
function shorten(page: unknown): unknown {
  if (Array.isArray(page)) return page.slice(0, 2)
  const isObject = typeof page === 'object' && page !== null
  return isObject && 'items' in page && Array.isArray(page.items)
    ? { ...page, items: page.items.slice(0, 2) }
    : page
}

it('shows examples without generating the records of all customers', async () => {
  const { state, fetch: ask } = await openSandbox({ size: 100, seed: 7 })
  await (await ask('/openapi.json')).text()
  const { tables } = state.dataset
  expect(childTables.filter((name) => tables[name].isWhole)).toEqual([])
})

it('lists the URL it was fetched from as its server, including the base URL of a session', async () => {
  const { url, port, sandbox } = await serve({ size: 3 })
  const { id } = sandbox.session()
  for (const [address, server, headers] of [
    [url, `${url}/v1`],
    [`http://localhost:${port}`, `http://localhost:${port}/v1`],
    [url, `${url}/_sandbox/sessions/${id}/v1`, { 'sandbox-session': id }],
  ] as const) {
    expect((await fetchDocument(address, headers)).servers).toEqual([{ url: server }])
  }
})
