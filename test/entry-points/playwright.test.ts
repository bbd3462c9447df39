import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { expect, inject, it, onTestFinished } from 'vitest'

import { startSandbox } from '../../src/node.ts'
import { launch } from './chromium-launch.ts'
import { createFiles, runToEnd } from './recipe.ts'

/** The part of Playwright's JSON report that the tests read. */
interface Suite {
  readonly suites?: readonly Suite[]
  readonly specs?: readonly {
    readonly title: string
    readonly ok: boolean
    readonly tests: readonly {
      readonly results: readonly {
        readonly error?: { readonly message: string }
        readonly attachments: readonly { readonly name: string; readonly body?: string }[]
      }[]
    }[]
  }[]
}

interface Outcome {
  /** The errors of each test; none if it passed. */
  readonly errors: Readonly<Record<string, readonly string[]>>
  /** The text of each attachment, by the test and its name. */
  readonly attached: Readonly<Record<string, string>>
}

/** Runs a suite with Playwright in the user's project. */
async function runSuite(suite: string, variables: Readonly<Record<string, string>>): Promise<Outcome> {
  const cwd = createFiles({})
  cpSync(resolve('test/entry-points/playwright'), cwd, { recursive: true })
  const env = { LAUNCH: JSON.stringify(launch), ...variables }
  const cli = join(inject('consumer'), 'node_modules', '@playwright', 'test', 'cli.js')
  const { stdout } = await runToEnd(process.execPath, [cli, 'test', suite, '--reporter=json'], { cwd, env })
  const report: Suite & { readonly errors: readonly { readonly message: string }[] } = JSON.parse(stdout)
  if (report.errors.length > 0) throw new Error(report.errors.map(({ message }) => message).join('\n'))
  const specs = listSpecs(report)
  const results = specs.map(({ title, tests }) => [title, tests.flatMap((one) => one.results)] as const)
  return {
    errors: Object.fromEntries(
      results.map(([title, all]) => [title, all.flatMap(({ error }) => error?.message ?? [])]),
    ),
    attached: Object.fromEntries(
      results.flatMap(([title, all]) =>
        all
          .flatMap(({ attachments }) => attachments)
          .map(({ name, body = '' }) => [`${title}: ${name}`, Buffer.from(body, 'base64').toString()]),
      ),
    ),
  }
}

const listSpecs = ({ suites = [], specs = [] }: Suite): NonNullable<Suite['specs']> => [
  ...specs,
  ...suites.flatMap(listSpecs),
]

/** Variables that are empty name no running sandbox. */
const empty = { WORKSPACE_SANDBOX_URL: '', WORKSPACE_SANDBOX_ADMIN_TOKEN: '' }

it('gives each test a session of a sandbox of its own, which its pages call, with faults, clock, data and requests, and explains a failure', async () => {
  const { errors, attached } = await runSuite('pages', empty)
  const { fails = [], 'fails unconnected': unconnected = [], ...others } = errors
  expect(Object.keys(others)).toHaveLength(13)
  expect(Object.entries(others).filter(([, messages]) => messages.length > 0)).toEqual([])
  // A failure is explained, and the report has the requests of the test, or why there are none.
  expect(unconnected).toHaveLength(1)
  expect(fails.join('\n')).toMatch(/found 0 among 1 request[\s\S]*request 1, GET/)
  expect(Object.keys(attached).filter((name) => name.includes('sandbox-'))).toEqual([
    'fails: sandbox-requests.txt',
    'fails: sandbox-requests.har',
    'fails unconnected: sandbox-requests.txt',
    'fails unconnected: sandbox-requests.har',
  ])
  expect(attached['fails unconnected: sandbox-requests.txt']).toMatch(
    /^No requests\. .*`baseURL`.*`sandboxApiUrl`/,
  )
  expect(attached['fails: sandbox-requests.txt']).toMatch(
    /^request 1, GET …\/customers\?scope=mine -> 200 \(deleted: deleted customer \d+\)\nscenario-1 deleted on listCustomers: matched 1 time, acted 1 time$/,
  )
  expect(JSON.parse(attached['fails: sandbox-requests.har'] ?? '')).toMatchObject({ log: { version: '1.2' } })
})

it('uses a running sandbox in parallel workers, and leaves no session open, even if a test fails', async () => {
  await using server = await startSandbox({ port: 0, size: 'small', adminToken: 'secret' })
  onTestFinished(() => server.close())
  const { errors } = await runSuite('workers', {
    WORKERS: '2',
    WORKSPACE_SANDBOX_URL: server.baseUrl,
    WORKSPACE_SANDBOX_ADMIN_TOKEN: 'secret',
  })
  expect(errors).toMatchObject({ one: [], two: [], three: [expect.any(String)] })
  const headers = { authorization: 'Bearer secret' }
  const sessions = await (await fetch(`${server.url}/_sandbox/sessions`, { headers })).json()
  expect(sessions).toMatchObject({ totalCount: 0 })
})
