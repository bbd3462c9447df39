import { expect, type MatcherState, test as base, type TestAPI } from 'vitest'

import { type Client, createClient } from './client.ts'
import type { PartialSettings } from './contract/settings.ts'
import { withCallerErrors } from './core/caller-errors.ts'
import { importSequentially } from './core/import-sequentially.ts'
import { parseInput } from './core/issues.ts'
import { getOrCreate } from './core/maps.ts'
import type { serveSessions } from './node/server/start.ts'
import { type CommonMatchers, createMatchers } from './sandbox/matchers.ts'
import { openSandbox, type Sandbox } from './sandbox/sandbox.ts'
import type { Control, SessionHandle } from './sandbox/session-handle.ts'
import type { Credentials } from './sessions/credentials.ts'
import type { DatasetOptions } from './sessions/dataset-options.ts'
import { ChangeFilter } from './testing/records/types.ts'
import { listWrittenChanges } from './testing/records/written-changes.ts'

/** The fixtures of a test. */
export interface SandboxFixtures {
  /** The options of the dataset; a file or a suite sets them with `test.override`. */
  readonly sandboxOptions: DatasetOptions
  /** Overrides of assumptions, set in the same way. */
  readonly sandboxAssumptions: PartialSettings
  /** A new session that ends with the test; the tests of a worker share the sandbox behind it. */
  readonly sandbox: SessionHandle
  /** Every member with a token, and invalid tokens. */
  readonly credentials: Credentials
  /** A typed client for the default caller in this session, without a server. */
  readonly client: Client
  /** The base URL of the session over HTTP; a server starts only if a test uses it. */
  readonly baseUrl: string
}

/**
 * Creates a `test` with a sandbox.
 * @param options the options of the dataset, which a suite may override
 * @example
 * const test = createTest({ size: 'medium' })
 * test('lists customers', async ({ client }) => {
 *   expect((await client.listCustomers({ organizationId: 'harbor' })).totalCount).toBe(300)
 * })
 */
export function createTest(options: DatasetOptions = {}): TestAPI<SandboxFixtures> {
  return base.extend<SandboxFixtures & { readonly sharedSandboxes: SharedSandboxes }>({
    sandboxOptions: options,
    sandboxAssumptions: {},
    sharedSandboxes: [
      // oxlint-disable-next-line no-empty-pattern -- Vitest reads the required fixtures from the pattern
      async ({}, use) => {
        const shared = new SharedSandboxes()
        await use(shared)
        await shared.close()
      },
      { scope: 'worker' },
    ],
    sandbox: async ({ sharedSandboxes, sandboxOptions, sandboxAssumptions }, use) => {
      const shared = await sharedSandboxes.get(sandboxOptions)
      const session = shared.session({ assumptions: sandboxAssumptions })
      await use(session)
      session.close()
    },
    credentials: async ({ sharedSandboxes, sandboxOptions }, use) =>
      use((await sharedSandboxes.get(sandboxOptions)).credentials),
    client: async ({ sandbox, credentials }, use) => {
      const token = credentials.organizations[0]?.members[0]?.token ?? ''
      await use(createClient({ baseUrl: 'http://sandbox/v1', token, fetch: sandbox.fetch }))
    },
    baseUrl: async ({ sharedSandboxes, sandboxOptions, sandbox }, use) =>
      use(`${await sharedSandboxes.url(sandboxOptions)}/_sandbox/sessions/${sandbox.id}/v1`),
  })
}

/**
 * A `test` with a sandbox of the default dataset.
 * @example
 * test('retries after an error', async ({ sandbox, client }) => {
 *   sandbox.faults.add({ status: 503, times: 1 })
 *   await loadMember(client)
 *   expect(sandbox).toHaveReceived({ operationId: 'getCurrentMember', count: 2 })
 * })
 */
export const test: TestAPI<SandboxFixtures> = createTest()

class SharedSandboxes {
  readonly #sandboxes = new Map<string, Promise<Sandbox>>()
  readonly #servers = new Map<string, ReturnType<typeof serveSessions>>()

  get(options: DatasetOptions): Promise<Sandbox> {
    return getOrCreate(this.#sandboxes, JSON.stringify(options), () =>
      withCallerErrors('option', () => openSandbox(options)),
    )
  }

  async url(options: DatasetOptions): Promise<string> {
    const sandbox = await this.get(options)
    const start = async () =>
      (await importSequentially(() => import('./node/server/start.ts'))).serveSessions(sandbox)
    return (await getOrCreate(this.#servers, JSON.stringify(options), start)).url
  }

  async close(): Promise<void> {
    // A sandbox first continues the requests that its server waits for. What could not be opened has failed its test.
    const opening = [...this.#sandboxes.values(), ...this.#servers.values()]
    const opened = await Promise.allSettled<{ close(): Promise<void> }>(opening)
    await Promise.all(opened.flatMap((one) => (one.status === 'fulfilled' ? one.value.close() : [])))
  }
}

/** Matchers for the requests that a sandbox or a session has received. */
export interface SandboxMatchers extends CommonMatchers<void> {}

declare module 'vitest' {
  interface Matchers<T> extends SandboxMatchers {}
}

expect.extend(
  createMatchers<Control, MatcherState>(
    ({ controlled }, filter) =>
      withCallerErrors('filter', () => listWrittenChanges(controlled, parseInput(ChangeFilter, filter))),
    (check) => check(),
  ),
)
