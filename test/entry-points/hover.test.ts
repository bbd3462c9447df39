import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect, inject, it, onTestFinished } from 'vitest'

import { createClient } from '../../src/client.ts'
import { choiceNames } from '../../src/contract/choices.ts'
import { listPathNames } from '../../src/contract/operation.ts'
import { createSandbox } from '../../src/index.ts'
import { Config, SandboxOptions, StartOptions } from '../../src/node/server/options.ts'
import { endpoints } from '../../src/service/index.ts'
import { SessionInput } from '../../src/sessions/open-session.ts'
import { DatasetOptions } from '../../src/store/dataset-options.ts'
import { FaultInput } from '../../src/testing/faults/fault.ts'
import { RequestFilter, RequestPattern } from '../../src/testing/journal/pattern.ts'
import { VerifyRule } from '../../src/testing/journal/verify.ts'

const sandbox = await createSandbox({ size: 'small' })
const session = sandbox.session()
const client = createClient({ baseUrl: 'http://sandbox/v1', token: '' })
const common = ['clock', 'faults', 'requests', 'data', 'explain', 'preview', 'reset']
const clock = Object.keys(session.clock)
const faults = Object.keys(session.faults)
const requests = Object.keys(session.requests)

/** Everything that users complete: an expression, and the names of its members. */
const subjects: readonly (readonly [expression: string, names: readonly string[]])[] = [
  ['given<Parameters<typeof createSandbox>[0]>()', [...Object.keys(DatasetOptions.shape), 'assumptions']],
  ['given<Parameters<typeof startSandbox>[0]>()', Object.keys(StartOptions.shape)],
  ['given<Parameters<typeof workspaceSandbox>[0]>()', Object.keys(SandboxOptions.shape)],
  ['given<Parameters<typeof createTest>[0]>()', Object.keys(DatasetOptions.shape)],
  ['given<Config>()', Object.keys(Config.shape)],
  ['given<Parameters<Sandbox["session"]>[0]>()', Object.keys(SessionInput.shape)],
  ['given<PartialSettings>()', choiceNames],
  ['given<MatrixOptions>()', ['sandbox', 'names', 'only', 'assumptions']],
  ['given<FaultInput>()', Object.keys(FaultInput.shape)],
  ['given<Exclude<FaultInput["delayMs"], number>>()', ['min', 'max']],
  ['given<FaultInput["rateLimit"]>()', ['requests', 'windowSeconds']],
  ['given<VerifyRule>()', Object.keys(VerifyRule.shape)],
  ['given<VerifyRule["inOrder"]>()[0]!', Object.keys(RequestPattern.shape)],
  ['given<Parameters<Requests["list"]>[0]>()', Object.keys(RequestFilter.shape)],
  ['given<Exclude<ExplainInput, { requestId: number }>>()', ['path', 'token', 'method', 'id']],
  ['given<Extract<ExplainInput, { requestId: number }>>()', ['requestId', 'id']],
  ['given<PreviewInput>()', ['path', 'token']],
  ['given<Parameters<typeof sandboxHandlers>[1]>()', ['baseUrl']],
  [
    'given<Sandbox>()',
    [...common, 'fetch', 'credentials', 'dataset', 'reseed', 'session', 'release', 'close'],
  ],
  ['given<Sandbox>().dataset', Object.keys(sandbox.dataset)],
  ['given<SessionHandle>()', [...common, 'id', 'fetch', 'snapshot', 'restore', 'close']],
  ['given<SessionHandle>().clock', clock],
  ['given<SessionHandle>().faults', faults],
  ['given<SessionHandle>().requests', requests],
  ['given<SessionHandle>().data', ['create', 'changes', 'undo', 'undoAll']],
  ['given<SessionHandle>().data.customers', Object.keys(session.data.customers)],
  [
    'given<Parameters<SessionHandle["data"]["customers"]["list"]>[0]>()',
    ['offset', 'limit', 'organizationId'],
  ],
  ['given<Parameters<SessionHandle["data"]["customers"]["put"]>[1]>()', ['organizationId']],
  ['given<RunningSandbox>()', ['url', 'baseUrl', 'sandbox', 'close']],
  ['given<PlaywrightSession>()', [...common, 'id', 'baseUrl', 'connect', 'close']],
  ['given<PlaywrightSession>().clock', clock],
  ['given<PlaywrightSession>().faults', faults],
  ['given<PlaywrightSession>().requests', requests.filter((name) => name !== 'subscribe')],
  [
    'given<SandboxTestOptions & SandboxWorkerOptions>()',
    ['sandboxApiUrl', 'sandboxAssumptions', 'sandboxOptions', 'sandboxUrl', 'sandboxAdminToken'],
  ],
  [
    'playwrightExpect(given<PlaywrightSession>())',
    ['toHaveReceived', 'toHaveReceivedInOrder', 'toHaveNoWarnings'],
  ],
  ['expect(given<SessionHandle>())', ['toHaveReceived', 'toHaveReceivedInOrder', 'toHaveNoWarnings']],
  ['given<ClientOptions>()', ['baseUrl', 'token', 'session', 'fetch']],
  ['given<CallOptions>()', ['signal', 'headers']],
  ['given<Client>()', Object.keys(client)],
  ['given<Client>().each', Object.keys(client.each)],
  ...endpoints.map(({ id, path, query, body }) => {
    const names = [...listPathNames(path), ...Object.keys(query.parameters), ...(body ? ['body'] : [])]
    return [`given<Parameters<Client["${id}"]>[0]>()`, names] as const
  }),
  ['given<Parameters<Client["createCustomerNote"]>[0]>().body', ['categoryId', 'content']],
]

/** Values and results, which need no example. */
const withoutExample = new Set([
  ...Object.keys(sandbox.dataset),
  ...common.slice(0, 4),
  'credentials',
  'dataset',
  'id',
  'sandbox',
  'url',
  'baseUrl',
])

const head = `
import {
  type createSandbox, type ExplainInput, type FaultInput, type MatrixOptions, type PartialSettings, type PreviewInput,
  type Requests, type Sandbox, type SessionHandle, type VerifyRule,
} from 'workspace-sandbox'
import type { CallOptions, Client, ClientOptions } from 'workspace-sandbox/client'
import type { sandboxHandlers } from 'workspace-sandbox/msw'
import type { Config, RunningSandbox, startSandbox } from 'workspace-sandbox/node'
import {
  expect as playwrightExpect, type PlaywrightSession, type SandboxTestOptions, type SandboxWorkerOptions,
} from 'workspace-sandbox/playwright'
import type { workspaceSandbox } from 'workspace-sandbox/vite'
import type { createTest } from 'workspace-sandbox/vitest'
import { expect } from 'vitest'
declare function given<T>(): NonNullable<T>
`

const lines = subjects.flatMap(([expression, names]) => names.map((name) => ({ expression, name })))

interface Hover {
  readonly contents?: { readonly value: string }
}

/** Speaks to TypeScript's language server. */
class LanguageServer {
  readonly #process
  readonly #pending = new Map<number, (result: unknown) => void>()
  #received = Buffer.alloc(0)
  #count = 0

  constructor(cwd: string) {
    const bin = join(process.cwd(), 'node_modules', 'typescript', 'bin', 'tsc')
    this.#process = spawn(process.execPath, [bin, '--lsp', '--stdio'], {
      cwd,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    this.#process.stdout.on('data', (part: Buffer) => this.#read(part))
  }

  request(method: string, params: unknown): Promise<unknown> {
    const id = (this.#count += 1)
    this.#send({ id, method, params })
    return new Promise((resolve) => this.#pending.set(id, resolve))
  }

  notify(method: string, params: unknown): void {
    this.#send({ method, params })
  }

  close(): void {
    this.#process.kill()
  }

  #send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }

  #read(part: Buffer): void {
    this.#received = Buffer.concat([this.#received, part])
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n')
      if (end === -1) return
      const size = Number(/Content-Length: (\d+)/i.exec(this.#received.toString('utf8', 0, end))?.[1])
      if (this.#received.length < end + 4 + size) return
      const message = JSON.parse(this.#received.toString('utf8', end + 4, end + 4 + size))
      this.#received = this.#received.subarray(end + 4 + size)
      // The server asks for settings, which have no values here.
      if (message.method !== undefined && message.id !== undefined)
        this.#send({ id: message.id, result: [null] })
      else if (message.id !== undefined) this.#pending.get(message.id)?.(message.result)
    }
  }
}

it('editors show what each option, field, method and operation means, with an example', async () => {
  const folder = mkdtempSync(join(inject('consumer'), 'hover-'))
  const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, types: ['node'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const file = join(folder, 'hover.ts')
  const text = head + lines.map(({ expression, name }) => `${expression}.${name}\n`).join('')
  writeFileSync(file, text)
  const server = new LanguageServer(folder)
  onTestFinished(() => server.close())
  const uri = pathToFileURL(file).href
  await server.request('initialize', {
    processId: null,
    rootUri: pathToFileURL(folder).href,
    capabilities: { textDocument: { hover: { contentFormat: ['markdown'] } } },
  })
  server.notify('initialized', {})
  server.notify('textDocument/didOpen', {
    textDocument: { uri, languageId: 'typescript', version: 1, text },
  })
  const first = head.split('\n').length - 1
  const missing: string[] = []
  for (const [index, { expression, name }] of lines.entries()) {
    const position = { line: first + index, character: expression.length + 1 }
    const hover = (await server.request('textDocument/hover', {
      textDocument: { uri },
      position,
    })) as Hover | null
    const prose = (hover?.contents?.value ?? '').replace(/```[\s\S]*?```/, '').trim()
    const needsExample = !withoutExample.has(name)
    if (prose === '' || (needsExample && !prose.includes('@example')))
      missing.push(`${expression}.${name}: ${prose}`)
  }
  expect(missing).toEqual([])
  expect(lines.length).toBeGreaterThan(350)
})
