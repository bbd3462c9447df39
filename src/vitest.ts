import { expect, test as base, type TestAPI } from 'vitest'

import { type Client, createClient } from './client.ts'
import type { PartialSettings } from './contract/settings.ts'
import type { Credentials } from './control/credentials.ts'
import { summed } from './control/journal/assumptions-sum.ts'
import type { Requests } from './control/journal/requests.ts'
import type { VerifyRule } from './control/journal/verify.ts'
import type { WarningCode } from './control/journal/warnings.ts'
import type { SessionHandle } from './control/sessions/handle.ts'
import { importInTurn } from './import-in-turn.ts'
import type { DatasetOptions } from './options.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'
import type { SandboxMeta } from './vitest-reporter.ts'

/** What a test is given. */
export interface SandboxFixtures {
  /** What the dataset is made from; a file's or a suite's tests set it with `test.override`. */
  readonly sandboxOptions: DatasetOptions
  /** How sessions decide what the document leaves open, set in the same way. */
  readonly sandboxAssumptions: PartialSettings
  /** A fresh session, which ends with the test; the sandbox behind it is shared by the tests of a worker. */
  readonly sandbox: SessionHandle
  /** Every member with a token, and tokens that never work. */
  readonly credentials: Credentials
  /** A typed client of the session for the default caller, in this process. */
  readonly client: Client
  /** The session's base address over HTTP, for code that takes one; nothing listens unless a test asks for it. */
  readonly baseUrl: string
}

/** A `test` with a sandbox; the dataset is made from options that a suite may override. */
export function createTest(options: DatasetOptions = {}): TestAPI<SandboxFixtures> {
  return base.extend<SandboxFixtures & { readonly sharedSandboxes: Shared }>({
    sandboxOptions: options,
    sandboxAssumptions: {},
    sharedSandboxes: [
      // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern which fixtures it needs
      async ({}, use) => {
        const shared = new Shared()
        await use(shared)
        await shared.close()
      },
      { scope: 'worker' },
    ],
    sandbox: async ({ sharedSandboxes, sandboxOptions, sandboxAssumptions, task }, use) => {
      const shared = await sharedSandboxes.get(sandboxOptions)
      const session = shared.session({ assumptions: sandboxAssumptions })
      await use(session)
      // For the reporter, in the one process that sees every test; a test may be run more than once.
      const before = task.meta.workspaceSandbox
      task.meta.workspaceSandbox = summed([...(before ? [before] : []), session.requests.assumptions()])
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

/** A `test` with a sandbox of the default dataset. */
export const test: TestAPI<SandboxFixtures> = createTest()

interface Server {
  readonly url: string
  close(): Promise<void>
}

/** The sandboxes of a worker, one for each set of options, and their servers. */
class Shared {
  readonly #sandboxes = new Map<string, Promise<Sandbox>>()
  readonly #servers = new Map<string, Promise<Server>>()

  /** The sandbox for a set of options. */
  get(options: DatasetOptions): Promise<Sandbox> {
    return keptIn(this.#sandboxes, JSON.stringify(options), () => openSandbox(options))
  }

  /** Where that sandbox's sessions are served. */
  async url(options: DatasetOptions): Promise<string> {
    const sandbox = await this.get(options)
    const start = async () =>
      (await importInTurn(() => import('./server/serve-sessions.ts'))).serveSessions(sandbox)
    return (await keptIn(this.#servers, JSON.stringify(options), start)).url
  }

  async close(): Promise<void> {
    const sandboxes = await Promise.all(this.#sandboxes.values())
    for (const sandbox of sandboxes) sandbox.release()
    const servers = await Promise.all(this.#servers.values())
    await Promise.all([...servers, ...sandboxes].map((one) => one.close()))
  }
}

function keptIn<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const made = map.get(key) ?? make()
  map.set(key, made)
  return made
}

/** What a matcher looks at: a sandbox or a session. */
interface Journaled {
  readonly requests: Pick<Requests, 'verify' | 'assertNoWarnings'>
}

/** Matchers for what a sandbox or a session has received. */
export interface SandboxMatchers {
  /** At least one request as described, or as many as `count`, `atLeast` or `atMost` say. */
  toHaveReceived(rule: VerifyRule): void
  /** Requests as described, one after the other; others may come between. */
  toHaveReceivedInOrder(steps: NonNullable<VerifyRule['inOrder']>): void
  /** Nothing that a careful reviewer would say of the requests. */
  toHaveNoWarnings(options?: { readonly ignore?: readonly WarningCode[] }): void
}

declare module 'vitest' {
  interface Matchers<T> extends SandboxMatchers {}
  interface TaskMeta extends SandboxMeta {}
}

const counts = ['count', 'atLeast', 'atMost', 'never', 'inOrder'] as const

expect.extend({
  toHaveReceived(received: Journaled, rule: VerifyRule) {
    if (!this.isNot || counts.some((name) => rule[name] !== undefined)) {
      return judged(
        failureOf(received, ({ verify }) => verify(rule)),
        'Expected another number of such requests.',
      )
    }
    // Verified as never received, so that the failure shows what was.
    const found = failureOf(received, ({ verify }) => verify({ ...rule, never: true }))
    return { pass: found !== undefined, message: () => found ?? '' }
  },
  toHaveReceivedInOrder(received: Journaled, steps: NonNullable<VerifyRule['inOrder']>) {
    return judged(
      failureOf(received, ({ verify }) => verify({ inOrder: steps })),
      'Expected the requests not to have come in this order.',
    )
  },
  toHaveNoWarnings(received: Journaled, options?: { readonly ignore?: readonly WarningCode[] }) {
    return judged(
      failureOf(received, ({ assertNoWarnings }) => assertNoWarnings(options)),
      'Expected a warning, found none.',
    )
  },
})

function judged(failure: string | undefined, otherwise: string) {
  return { pass: failure === undefined, message: () => failure ?? otherwise }
}

/** Why an expectation does not hold; undefined where it does. */
function failureOf(
  { requests }: Journaled,
  check: (requests: Journaled['requests']) => void,
): string | undefined {
  try {
    check(requests)
    return undefined
  } catch (error) {
    if (error instanceof Error && error.name === 'Error') return error.message
    throw error
  }
}
