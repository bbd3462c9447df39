import {
  type BrowserContext,
  type Expect,
  expect as baseExpect,
  type ExpectMatcherState,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  test as base,
  type TestInfo,
  type TestType,
} from '@playwright/test'

import { type Client, createClient } from './client.ts'
import type { PartialSettings } from './contract/settings.ts'
import { importSequentially } from './core/import-sequentially.ts'
import {
  type CommonMatchers,
  createMatchers,
  describeRequests,
  describeScenarios,
  type MatcherResult,
} from './sandbox/matchers.ts'
import { createControlClient, read, type Server } from './sandbox/remote/control-client.ts'
import { routePages } from './sandbox/remote/route-pages.ts'
import { openRemoteSession, type RemoteSession } from './sandbox/remote/session.ts'
import type { Credentials } from './sessions/credentials.ts'
import type { DatasetOptions } from './sessions/dataset-options.ts'

export type { RemoteClock, RemoteFaults, RemoteRequests, RemoteSession } from './sandbox/remote/session.ts'

/** The session of a test, and its connection to pages. */
export interface PlaywrightSession extends RemoteSession {
  /**
   * Connects the pages of another browser context to the session; those of the `context` and `page` fixtures are
   * connected already.
   * @example
   * const other = await browser.newContext()
   * await sandbox.connect(other)
   */
  connect(context: BrowserContext): Promise<void>
}

/** The options that a config, a project, a file or a suite sets with `use`. */
export interface SandboxTestOptions {
  /**
   * The base URL that the pages call, absolute or relative to `baseURL`. Requests below it go to the test's session.
   * Default: `/v1`.
   * @example 'https://api.example.com/v1'
   */
  readonly sandboxApiUrl: string
  /** Overrides of assumptions for the sessions of the tests. Default: none. @example { errorFormat: 'message' } */
  readonly sandboxAssumptions: PartialSettings
}

/** The options that a config, a project or a file sets with `use`. */
export interface SandboxWorkerOptions {
  /** The options of the dataset; a running server has a dataset already. Default: those of `createTest`. @example { size: 'small', seed: 7 } */
  readonly sandboxOptions: DatasetOptions
  /**
   * The URL of a running sandbox for all workers. Default: `WORKSPACE_SANDBOX_URL` in the environment; without it, each
   * worker starts a sandbox of its own on a free port.
   * @example 'http://127.0.0.1:4500'
   */
  readonly sandboxUrl: string | undefined
  /** The admin token of that sandbox. Default: `WORKSPACE_SANDBOX_ADMIN_TOKEN` in the environment. @example 'secret' */
  readonly sandboxAdminToken: string | undefined
}

/** The fixtures of a test. */
export interface SandboxFixtures {
  /** A new session that ends with the test: its faults, clock, data and requests. */
  readonly sandbox: PlaywrightSession
  /** Every member with a token, and invalid tokens. */
  readonly credentials: Credentials
  /** A typed client for the default caller in this session. */
  readonly client: Client
  /** The base URL of the session, for requests that no page makes. */
  readonly baseUrl: string
}

/** A `test` with a sandbox. */
export type SandboxTest = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & SandboxTestOptions & SandboxFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & SandboxWorkerOptions
>

/**
 * Creates a `test` with a sandbox: each test has a session of its own, which its pages call.
 * @param options the options of the dataset, which `use` may override
 * @example
 * const test = createTest({ size: 'small' })
 * test('shows an error', async ({ page, sandbox }) => {
 *   await sandbox.faults.add({ operationId: 'listCustomers', status: 503 })
 *   await page.goto('/')
 *   await expect(page.getByRole('alert')).toBeVisible()
 *   await expect(sandbox).toHaveReceived({ operationId: 'listCustomers' })
 * })
 */
export function createTest(options: DatasetOptions = {}): SandboxTest {
  type WorkerFixtures = SandboxWorkerOptions & { readonly sandboxServer: Server }
  return base.extend<SandboxTestOptions & SandboxFixtures, WorkerFixtures>({
    sandboxApiUrl: ['/v1', { option: true }],
    sandboxAssumptions: [{}, { option: true }],
    sandboxOptions: [options, { option: true, scope: 'worker' }],
    sandboxUrl: [readVariable('WORKSPACE_SANDBOX_URL'), { option: true, scope: 'worker' }],
    sandboxAdminToken: [readVariable('WORKSPACE_SANDBOX_ADMIN_TOKEN'), { option: true, scope: 'worker' }],
    sandboxServer: [
      async ({ sandboxOptions, sandboxUrl, sandboxAdminToken: adminToken }, use) => {
        if (sandboxUrl !== undefined) return use({ url: sandboxUrl.replace(/\/(?:v1\/?)?$/, ''), adminToken })
        const { startServer } = await importSequentially(() => import('./node/server/start.ts'))
        const server = await startServer({ ...sandboxOptions, port: 0 }, { ownsProcess: false })
        await use({ url: server.url })
        await server.close()
      },
      { scope: 'worker' },
    ],
    sandbox: async ({ sandboxServer, sandboxAssumptions, sandboxApiUrl, baseURL }, use, info) => {
      const name = Array.from(info.titlePath.join(' › ')).slice(0, MAX_NAME_CHARACTERS).join('')
      const session = await openRemoteSession(sandboxServer, { name, assumptions: sandboxAssumptions })
      const isUrl = URL.canParse(sandboxApiUrl, baseURL)
      const apiUrl = isUrl ? new URL(sandboxApiUrl, baseURL).href.replace(/\/$/, '') : undefined
      const appOrigin = baseURL === undefined ? undefined : new URL(baseURL).origin
      const target = { url: sandboxServer.url, session: session.id, apiUrl, appOrigin }
      await use({ ...session, connect: (context) => routePages(context, target) })
      try {
        if (info.status !== info.expectedStatus) await attachRequests(session, info, apiUrl !== undefined)
      } finally {
        await session.close()
      }
    },
    context: async ({ context, sandbox }, use) => {
      await sandbox.connect(context)
      await use(context)
      // A request that a fault delays must not outlive the test.
      await context.unrouteAll({ behavior: 'ignoreErrors' })
    },
    credentials: async ({ sandboxServer, sandbox }, use) =>
      use(await read(createControlClient(sandboxServer, sandbox.id).credentials.$get())),
    client: async ({ sandbox: { baseUrl }, credentials }, use) => {
      const token = credentials.organizations[0]?.members[0]?.token ?? ''
      await use(createClient({ baseUrl, token }))
    },
    baseUrl: async ({ sandbox }, use) => use(sandbox.baseUrl),
  })
}

/** Reads a variable; an empty one counts as unset. */
const readVariable = (name: string): string | undefined => process.env[name] || undefined

const MAX_NAME_CHARACTERS = 200

const UNCONNECTED =
  'No requests. Set `baseURL`, or an absolute `sandboxApiUrl`, so that those of pages get to the session.'

/** Attaches the requests of a failed test to the report: a list to read, and an HTTP archive for network panels. */
async function attachRequests(session: RemoteSession, info: TestInfo, isConnected: boolean): Promise<void> {
  const { requests, scenarios } = session
  const [all, played] = await Promise.all([requests.list(), scenarios.list()])
  const lines = [...describeRequests(all), ...describeScenarios(played)]
  if (all.length === 0 && !isConnected) lines.unshift(UNCONNECTED)
  if (lines.length === 0) return
  await info.attach('sandbox-requests.txt', { body: lines.join('\n'), contentType: 'text/plain' })
  const body = JSON.stringify(await requests.har())
  await info.attach('sandbox-requests.har', { body, contentType: 'application/json' })
}

/**
 * A `test` with a sandbox of the default dataset.
 * @example
 * test('lists customers', async ({ page, sandbox }) => {
 *   await page.goto('/')
 *   await expect(sandbox).toHaveReceived({ operationId: 'listCustomers' })
 * })
 */
export const test: SandboxTest = createTest()

/** Matchers for the requests of a session. They wait, like Playwright's own, until they hold or the timeout of `expect` is over. */
export interface SandboxMatchers extends CommonMatchers<Promise<void>> {
  /** Expects the opposite. @example await expect(sandbox).not.toHaveReceived({ operationId: 'createCustomerNote' }) */
  readonly not: SandboxMatchers
}

type DeclaredMatchers = {
  [K in keyof CommonMatchers<void>]: (
    session: RemoteSession,
    ...args: Parameters<CommonMatchers<void>[K]>
  ) => Promise<MatcherResult>
}

/** Playwright's `expect`, with matchers for a session. */
export interface SandboxExpect extends Expect<DeclaredMatchers> {
  // Comes before Playwright's own signature, whose mapped types lose the documentation of the matchers.
  (session: RemoteSession, message?: string): SandboxMatchers
}

/** Playwright's `expect`, with matchers for the requests of a session. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same matchers, under a type that keeps their documentation
export const expect: SandboxExpect = baseExpect.extend(
  createMatchers<RemoteSession, MatcherState>(({ data }, filter) => data.changes(filter), poll),
) as unknown as SandboxExpect

type MatcherState = Pick<ExpectMatcherState, 'isNot' | 'timeout'>

async function poll(
  check: () => MatcherResult | Promise<MatcherResult>,
  { isNot, timeout }: MatcherState,
): Promise<MatcherResult> {
  let result: MatcherResult = { pass: isNot, message: () => 'The sandbox did not answer in time.' }
  const checkOnce = async (): Promise<boolean> => {
    result = await check()
    return result.pass !== isNot
  }
  await baseExpect
    .poll(checkOnce, { timeout, intervals: [50, 100, 250] })
    .toBe(true)
    .catch((error: unknown) => {
      if (error instanceof Error && error.name === 'SandboxError') throw error
    })
  return result
}
