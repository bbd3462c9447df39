import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

import { build } from 'vite'

import { temporaryFolder } from './servers.ts'
import { summarize } from './statistics.ts'
import type { Row, Suite } from './suite.ts'
import { headers, notesPath } from './tenant.ts'

const MINIFLARE = 'miniflare@4.20260426.0'
const REQUESTS = 1_000
const BATCHES = 5

/** A worker whose objects count the rows that they read and write. */
const script = `
  import { createWorker, SandboxSession } from 'workspace-sandbox/worker'

  export default createWorker({ size: 'medium', adminToken: 'admin' })

  export class CountingSession {
    constructor(state, env) {
      this.rows = { read: 0, written: 0 }
      const cursors = []
      const exec = (...input) => {
        const cursor = state.storage.sql.exec(...input)
        cursors.push(cursor)
        return cursor
      }
      const storage = new Proxy(state.storage, {
        get: (target, name) => {
          if (name === 'sql') return { exec }
          const value = target[name]
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
      this.count = () => {
        for (const cursor of cursors.splice(0)) {
          this.rows.read += cursor.rowsRead
          this.rows.written += cursor.rowsWritten
        }
        return this.rows
      }
      this.session = new SandboxSession({ id: state.id, storage }, env)
    }
    async fetch(request) {
      if (request.headers.has('count-rows')) return Response.json(this.count())
      const response = await this.session.fetch(request)
      this.count()
      return response
    }
    alarm() {
      return this.session.alarm()
    }
  }`

interface Miniflare {
  readonly ready: Promise<URL>
  dispose(): Promise<void>
}

/** The requests that are measured. */
const work = {
  'worker-customer': { title: 'one customer', path: '/organizations/harbor/customers/1' },
  'worker-page': { title: 'a page of 50 customers', path: '/organizations/harbor/customers?limit=50' },
  'worker-note': {
    title: 'store a note',
    path: notesPath.replace(/^\/v1/, ''),
    body: '{"categoryId":1,"content":"A note"}',
  },
} as const

/** Measures a session in a Durable Object, which workerd runs on this machine. */
export const worker: Suite = {
  ids: Object.keys(work),
  async *measure(wanted): AsyncIterable<Row> {
    using folder = temporaryFolder()
    const runner = await start(folder.path)
    try {
      const base = new URL('/_sandbox/sessions/bench', await runner.ready)
      const admin = { authorization: 'Bearer admin', 'content-type': 'application/json' }
      await fetch(base, { method: 'PUT', headers: admin, body: '{}' })
      for (const [id, { title, path, ...rest }] of Object.entries(work)) {
        if (!wanted.has(id)) continue
        const init =
          'body' in rest
            ? { method: 'POST', headers: { ...headers, ...admin, ...headers }, body: rest.body }
            : { headers }
        const send = async (): Promise<void> => {
          const response = await fetch(`${base.href}/v1${path}`, init)
          await response.arrayBuffer()
          if (response.status !== 200) throw new Error(`${path} returned ${response.status}`)
        }
        const count = async (): Promise<{ read: number; written: number }> =>
          JSON.parse(await (await fetch(`${base.href}/v1`, { headers: { 'count-rows': '1' } })).text())
        for (let index = 0; index < 100; index += 1) await send()
        const before = await count()
        const times: number[] = []
        for (let batch = 0; batch < BATCHES; batch += 1) {
          const started = performance.now()
          for (let index = 0; index < REQUESTS / BATCHES; index += 1) await send()
          times.push(((performance.now() - started) / REQUESTS) * BATCHES)
        }
        const after = await count()
        yield {
          id,
          title: `a worker: ${title}, medium`,
          unit: 'ms',
          measured: summarize(times),
          details: `1,000 requests, one after the other, wrote ${after.written - before.written} rows and read ${after.read - before.read}`,
        }
      }
    } finally {
      await runner.dispose()
    }
  },
}

/** Builds the worker from the built package, and runs it. */
async function start(folder: string): Promise<Miniflare> {
  mkdirSync(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  writeFileSync(join(folder, 'worker.js'), script)
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--silent', MINIFLARE], {
    cwd: folder,
  })
  symlinkSync(resolve(), join(folder, 'node_modules', 'workspace-sandbox'), 'dir')
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    ssr: { target: 'webworker', noExternal: true },
    build: { ssr: 'worker.js', rolldownOptions: { output: { codeSplitting: false } } },
  })
  const { Miniflare: Runner }: { Miniflare: new (options: object) => Miniflare } = createRequire(
    join(folder, 'index.js'),
  )('miniflare')
  return new Runner({
    modules: true,
    script: readFileSync(join(folder, 'dist', 'worker.js'), 'utf8'),
    compatibilityDate: '2026-01-01',
    durableObjects: { SESSIONS: { className: 'CountingSession', useSQLite: true } },
    durableObjectsPersist: join(folder, 'objects'),
  })
}
