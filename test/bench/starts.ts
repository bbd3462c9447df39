import { execFileSync } from 'node:child_process'

import * as z from 'zod'

import { load } from './load.ts'
import { paths, prepare, send } from './requests.ts'
import { median, type Suite } from './rows.ts'
import { command, sandboxCommand, serverFile, startCommand, startServer, temporaryFolder } from './servers.ts'

const ids = ['start-small', 'start-new', 'start-files', 'start-large', 'start-huge'] as const

/** Measures processes from their start to the first response. */
export const starting: Suite = {
  ids,
  async *measure(wanted) {
    using folder = temporaryFolder()
    const data = ['--data', `${folder.path}/data`]
    if (wanted.has('start-files'))
      execFileSync(process.execPath, [command, 'reseed', '--size', 'medium', ...data])
    const usual = {
      'start-small': ['--size', 'small', '--memory'],
      'start-files': data,
      'start-large': ['--size', 'large', '--memory'],
      'start-huge': ['--size', '100000', '--memory'],
    }
    for (const id of ids.filter((one) => wanted.has(one))) {
      const isLarge = id === 'start-large' || id === 'start-huge'
      const times: number[] = []
      let memory = 0
      for (let round = 0; round < (isLarge ? 1 : 5); round += 1) {
        const own = id === 'start-new' ? ['--data', `${folder.path}/${round}`] : usual[id]
        await using server = await startServer(sandboxCommand(...own))
        await (await send(server, '/v1/members/me')).text()
        const { cpuUs, rssBytes } = await server.usage()
        times.push(cpuUs / 1_000)
        memory = rssBytes / 1_000_000
      }
      yield { id, value: median(times) }
      if (isLarge) yield { id: `${id}-memory`, value: memory }
    }
  },
}

/** Measures the memory after 3,000 requests: customers, pages, and pages with filters. */
export const memory: Suite = {
  ids: ['memory-medium', 'memory-large'],
  async *measure(wanted) {
    for (const [id, size] of [
      ['memory-medium', 300],
      ['memory-large', 10_000],
    ] as const) {
      if (!wanted.has(id)) continue
      await using server = await startCommand('--size', String(size), '--memory')
      for (const list of [paths.customer(size), paths.walk(size), paths.filtered()]) {
        const { next } = await prepare(server, list)
        await load(server.port, next, 16, { seconds: Infinity, requests: 1_000 })
      }
      yield { id, value: (await server.usage()).rssBytes / 1_000_000 }
    }
  },
}

const steps = ['test-import', 'test-first', 'test-later', 'test-session', 'test-reset'] as const

/** Milliseconds that a test file pays, as `servers/test-file.js` prints them. */
const Times = z.record(z.enum(steps), z.number())

/** Measures what a test pays in its own process, in fresh processes. */
export const inProcess: Suite = {
  ids: steps,
  async *measure(wanted) {
    const files = Array.from({ length: 5 }, () =>
      Times.parse(
        JSON.parse(execFileSync(process.execPath, [serverFile('test-file')], { encoding: 'utf8' })),
      ),
    )
    for (const id of steps.filter((one) => wanted.has(one))) {
      yield { id, value: median(files.map((file) => file[id])) }
    }
  },
}
