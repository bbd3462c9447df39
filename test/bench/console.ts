import { setTimeout as delay } from 'node:timers/promises'

import { type Browser, type Page, chromium } from 'playwright-core'
import * as z from 'zod'

import { launch } from '../entry-points/chromium-launch.ts'
import { startCommand } from './servers.ts'
import { summarize } from './statistics.ts'
import type { Row, Suite } from './suite.ts'

const RATE_PER_SECOND = 50

/** The time of a frame at which a page stutters. Units: milliseconds. */
const LONG_MS = 50

const home = '/organizations/harbor'

/** Requests of an application: lists, details, a write, and errors. */
const paths = [
  '/members/me',
  `${home}/customers?scope=mine&limit=20`,
  `${home}/customers/1`,
  `${home}/customers/2`,
  `${home}/customers/1/notes`,
  `${home}/products`,
  `${home}/customers/99999`,
  `${home}/signals?scpe=team`,
  '/nowhere',
] as const

/** The work of the traffic view while requests arrive. Units: milliseconds. */
interface Frames {
  /** The time from each frame to the next. */
  readonly lengths: readonly number[]
  /** The CPU time of each task of the page's main thread, of which a frame has one. */
  readonly tasks: readonly number[]
  /** The time from the last response until its request is listed. */
  readonly shownMs: number
}

/** Measures the frames of the console's traffic view under load. */
export const consoleFrames: Suite = {
  ids: ['console-task', 'console-frame', 'console-long', 'console-shown'],
  async *measure(wanted, { rounds, isQuick }) {
    const count = isQuick ? 500 : 2_000
    const browser = await chromium.launch(launch)
    const found: Frames[] = []
    try {
      for (let round = 0; round < Math.ceil(rounds / 3); round += 1) {
        found.push(await measureFrames(browser, count))
      }
    } finally {
      await browser.close()
    }
    yield* summarizeFrames(found, count).filter(({ id }) => wanted.has(id))
  },
}

function summarizeFrames(found: readonly Frames[], count: number): Row[] {
  const work = `${count} mixed requests, ${RATE_PER_SECOND} a second`
  const frames = found.reduce((total, { lengths }) => total + lengths.length, 0)
  return [
    {
      id: 'console-task',
      title: 'longest task of the traffic view',
      unit: 'ms CPU',
      measured: summarize(found.map(({ tasks }) => Math.max(...tasks))),
      goal: { atMost: LONG_MS },
      details: work,
    },
    {
      id: 'console-frame',
      title: 'longest frame of the traffic view',
      unit: 'ms',
      measured: summarize(found.map(({ lengths }) => Math.max(...lengths))),
      goal: { atMost: LONG_MS },
      details: `${work}, ${frames} frames`,
    },
    {
      id: 'console-long',
      title: `frames over ${LONG_MS} ms`,
      unit: '% of frames',
      measured: summarize(found.map(({ lengths }) => countLong(lengths))),
      goal: { atMost: 0 },
      details: work,
    },
    {
      id: 'console-shown',
      title: 'from the last response until its request is listed',
      unit: 'ms',
      measured: summarize(found.map(({ shownMs }) => shownMs)),
      details: work,
    },
  ]
}

const countLong = (lengths: readonly number[]): number =>
  (100 * lengths.filter((length) => length > LONG_MS).length) / lengths.length

/** Opens the traffic view of a new server, and sends requests while it counts its frames. */
async function measureFrames(browser: Browser, count: number): Promise<Frames> {
  await using server = await startCommand('--size', 'small', '--memory')
  const url = `http://127.0.0.1:${server.port}`
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(`${url}/_sandbox#/traffic`)
  await page.getByText('live', { exact: true }).waitFor()
  await send(url, 0)
  await findRow(page, 1).waitFor()
  await page.evaluate(`
    globalThis.frames_ = []
    let last = performance.now()
    requestAnimationFrame(function next(now) {
      globalThis.frames_.push(now - last)
      last = now
      requestAnimationFrame(next)
    })`)
  const stopTracing = await traceTasks(browser)
  const start = performance.now()
  for (let index = 1; index < count; index += 1) {
    await delay(Math.max(0, start + (index * 1_000) / RATE_PER_SECOND - performance.now()))
    await send(url, index)
  }
  const end = performance.now()
  await findRow(page, count).waitFor()
  const shownMs = performance.now() - end
  const tasks = await stopTracing()
  // The first frame began before it was measured.
  const lengths: number[] = await page.evaluate('globalThis.frames_.slice(1)')
  await page.close()
  return { lengths, tasks, shownMs }
}

/** The events of a trace: the names of threads, and tasks with their CPU time in microseconds. */
const TraceEvent = z.object({
  pid: z.int(),
  tid: z.int(),
  name: z.string(),
  tdur: z.number().optional(),
  args: z.object({ name: z.string().optional() }),
})

/** Traces the tasks of all pages until the returned function is called, which returns their CPU times. */
async function traceTasks(browser: Browser): Promise<() => Promise<number[]>> {
  const client = await browser.newBrowserCDPSession()
  const events: z.infer<typeof TraceEvent>[] = []
  client.on('Tracing.dataCollected', ({ value }) => events.push(...z.array(TraceEvent).parse(value)))
  const traceConfig = { includedCategories: ['toplevel'] }
  await client.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig })
  return async () => {
    const isComplete = new Promise((resolve) => {
      client.once('Tracing.tracingComplete', resolve)
    })
    await client.send('Tracing.end')
    await isComplete
    await client.detach()
    const isMain = ({ args }: (typeof events)[number]): boolean => args.name === 'CrRendererMain'
    const threads = new Set(events.filter(isMain).map(({ pid, tid }) => `${pid} ${tid}`))
    return events
      .filter(({ name, pid, tid }) => name.endsWith('RunTask') && threads.has(`${pid} ${tid}`))
      .map(({ tdur = 0 }) => tdur / 1_000)
  }
}

const findRow = (page: Page, id: number) => page.locator(`[data-id="${id}"]`)

async function send(url: string, index: number): Promise<void> {
  const path = paths[index % paths.length] ?? ''
  const isWrite = path.endsWith('/notes')
  const headers = {
    authorization: 'Bearer sbx_harbor_1',
    'content-type': 'application/json',
    // Every fortieth request meets a fault.
    ...(index % 40 === 7 && { prefer: 'status=503' }),
  }
  const body = JSON.stringify({ categoryId: 1, content: `Note ${index}` })
  const response = await fetch(`${url}/v1${path}`, {
    headers,
    ...(isWrite && { method: 'POST', body }),
  })
  await response.arrayBuffer()
}
