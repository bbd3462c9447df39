import { execFileSync } from 'node:child_process'

import type * as index from '../../src/index.ts'
import type * as node from '../../src/node.ts'
import type { Sandbox } from '../../src/node.ts'
import { serverFile, temporaryFolder } from './servers.ts'
import { type Spread, summarize } from './statistics.ts'
import type { Row, Suite } from './suite.ts'
import { headers, notesPath } from './tenant.ts'

const sizes = ['small', 'large'] as const
const RESETS = 100
const SESSIONS = 1_000
const BATCHES = 20

/** Milliseconds that a test file pays, as `servers/test-file.js` prints them. */
interface TestFile {
  readonly importMs: number
  readonly firstMs: number
  readonly laterMs: readonly number[]
  readonly sessionMs: readonly number[]
}

type TestFiles = Readonly<Record<'small' | 'medium', readonly TestFile[]>>

interface TestFileRow {
  readonly title: string
  readonly atMost?: number
  readonly read: (files: TestFiles) => readonly number[]
}

const testFiles: Readonly<Record<string, TestFileRow>> = {
  'file-import': {
    title: 'import the package',
    read: ({ small, medium }) => [...small, ...medium].map(({ importMs }) => importMs),
  },
  'file-small': {
    title: 'the first sandbox, small, after the import',
    atMost: 40,
    read: ({ small }) => small.map(({ firstMs }) => firstMs),
  },
  'file-medium': {
    title: 'the first sandbox, medium, after the import',
    atMost: 110,
    read: ({ medium }) => medium.map(({ firstMs }) => firstMs),
  },
  'file-later': {
    title: 'a later sandbox, the second to the tenth',
    atMost: 2,
    read: ({ small, medium }) => [...small, ...medium].flatMap(({ laterMs }) => laterMs),
  },
  'file-session': {
    title: 'a session with ten requests and a verification, 20 times from the first',
    read: ({ small, medium }) => [...small, ...medium].flatMap(({ sessionMs }) => sessionMs),
  },
}

/** Measures fresh processes, as test runners start them. */
function measureTestFiles(rounds: number): Row[] {
  const measure = (size: string): TestFile[] =>
    Array.from({ length: rounds }, () =>
      JSON.parse(execFileSync(process.execPath, [serverFile('test-file'), size], { encoding: 'utf8' })),
    )
  const files = { small: measure('small'), medium: measure('medium') }
  return Object.entries(testFiles).map(([id, { title, atMost, read }]) => ({
    id,
    title,
    unit: 'ms',
    measured: summarize(read(files)),
    ...(atMost !== undefined && { goal: { atMost } }),
    details: '',
  }))
}

/** Measures what a test does in its own process, with the built package. */
export const inProcess: Suite = {
  ids: [
    ...Object.keys(testFiles),
    ...sizes.flatMap((size) => [`session-${size}`, `reset-${size}-memory`, `reset-${size}-disk`]),
  ],
  async *measure(wanted, { isQuick, rounds }) {
    if (Object.keys(testFiles).some((id) => wanted.has(id))) {
      for (const row of measureTestFiles(rounds)) if (wanted.has(row.id)) yield row
    }
    for (const size of isQuick ? sizes.slice(0, 1) : sizes) {
      for await (const row of measureSize(size)) if (wanted.has(row.id)) yield row
    }
  },
}

async function* measureSize(size: (typeof sizes)[number]): AsyncIterable<Row> {
  const { createSandbox } = await importBuilt<Pick<typeof index, 'createSandbox'>>('index')
  const { startSandbox } = await importBuilt<Pick<typeof node, 'startSandbox'>>('node')
  const reset = { unit: 'ms', goal: { atMost: 1 }, details: 'after writing a note' }
  await using inMemory = await createSandbox({ size })
  yield {
    id: `session-${size}`,
    title: `open a session, ${size}`,
    unit: 'µs',
    measured: measureOpenings(inMemory),
    goal: { atMost: 20 },
    details: `${BATCHES} times ${SESSIONS} sessions`,
  }
  yield {
    ...reset,
    id: `reset-${size}-memory`,
    title: `reset, ${size}, in memory`,
    measured: await measureResets(inMemory),
  }
  using folder = temporaryFolder()
  await using running = await startSandbox({ size, port: 0, data: `${folder.path}/data` })
  yield {
    ...reset,
    id: `reset-${size}-disk`,
    title: `reset, ${size}, on disk`,
    measured: await measureResets(running.sandbox),
  }
}

/** Units: milliseconds. */
async function measureResets(sandbox: Sandbox): Promise<Spread> {
  const times: number[] = []
  for (let index = 0; index < RESETS; index += 1) {
    await write(sandbox)
    const start = performance.now()
    await sandbox.reset()
    times.push(performance.now() - start)
  }
  return summarize(times)
}

async function write(sandbox: Sandbox): Promise<void> {
  const body = JSON.stringify({ categoryId: 1, content: 'A note' })
  const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
  const response = await sandbox.fetch(new Request(`http://localhost${notesPath}`, init))
  if (response.status !== 200) throw new Error(`POST of a note returned ${response.status}`)
}

/** Units: microseconds. */
function measureOpenings(sandbox: Sandbox): Spread {
  return summarize(
    Array.from({ length: BATCHES }, () => {
      const start = performance.now()
      const sessions = Array.from({ length: SESSIONS }, () => sandbox.session())
      const time = performance.now() - start
      for (const session of sessions) session.close()
      return (time * 1000) / SESSIONS
    }),
  )
}

function importBuilt<T>(name: string): Promise<T> {
  return import(new URL(`../../dist/${name}.js`, import.meta.url).href)
}
