import { measureCost, measureCosts, type Subject } from './load.ts'
import { note, notesPath, paths, prepare, type Requests } from './requests.ts'
import { median, medianRatio, type Suite } from './rows.ts'
import { type Server, serverFile, startCommand, startFloor, startServer, temporaryFolder } from './servers.ts'

const CONNECTIONS = 16

const kinds = ['customer', 'page', 'mine', 'walk', 'filtered'] as const

/** Compares reads of 10,000 customers with bare Hono, which has every response in memory. */
export const reads: Suite = {
  ids: kinds,
  async *measure(wanted) {
    await using server = await startCommand('--size', 'large', '--memory')
    for (const id of kinds.filter((one) => wanted.has(one))) {
      const requests = await prepare(server, paths[id](10_000))
      await using floor = await startFloor()
      await floor.send(requests.responses)
      const [ours = [], bare = []] = await measureCosts([work(server, requests), work(floor, requests)])
      const details = `ours ${median(ours).toFixed(0)} µs, Hono ${median(bare).toFixed(0)} µs`
      yield { id, value: medianRatio(bare, ours), details }
    }
  },
}

/** Compares the first 1,000 requests of a fresh server with those of bare Hono, just as fresh. */
export const first: Suite = {
  ids: ['first'],
  async *measure() {
    await using reference = await startCommand('--memory')
    const requests = await prepare(reference, [...paths.customer(300), ...paths.walk(300)])
    const amount = { seconds: Infinity, requests: 1_000 }
    await using bare = await startFloor()
    await bare.send(requests.responses)
    const floor = await measureCost(work(bare, requests), amount)
    await using own = await startCommand('--memory')
    const ours = await measureCost(work(own, requests), amount)
    const details = `ours ${ours.toFixed(0)} µs, Hono ${floor.toFixed(0)} µs`
    yield { id: 'first', value: ours / floor, details }
  },
}

const sizes = [300, 10_000, 100_000]

/** Measures the same pages in tenants of several sizes. */
export const growth: Suite = {
  ids: ['growth-page', 'growth-filtered'],
  async *measure(wanted) {
    await using small = await startCommand('--memory')
    await using large = await startCommand('--size', 'large', '--memory')
    await using huge = await startCommand('--size', '100000', '--memory')
    for (const kind of ['page', 'filtered'] as const) {
      if (!wanted.has(`growth-${kind}`)) continue
      const subjects = await Promise.all(
        [small, large, huge].map(async (server, index) =>
          work(server, await prepare(server, paths[kind](sizes[index] ?? 0))),
        ),
      )
      const [least = [], ...others] = await measureCosts(subjects)
      yield { id: `growth-${kind}`, value: Math.max(...others.map((costs) => medianRatio(costs, least))) }
    }
  },
}

const work = (server: Server, { next }: Requests): Subject => ({ server, next, connections: CONNECTIONS })

const WRITERS = 32

/** Measures notes that are on the disk before the response. */
export const notes: Suite = {
  ids: ['note', 'notes'],
  async *measure(wanted) {
    using folder = temporaryFolder()
    await using server = await startCommand('--size', 'large', '--data', `${folder.path}/data`)
    const { next, responses } = await prepare(server, [notesPath], note)
    const reset = async (): Promise<void> => {
      const response = await fetch(`http://127.0.0.1:${server.port}/_sandbox/reset`, { method: 'POST' })
      if (!response.ok) throw new Error(`the reset returned ${response.status}`)
    }
    const ours: Subject = { server, next, connections: WRITERS, prepare: reset }
    if (wanted.has('note')) {
      await using raw = await startServer([serverFile('raw-notes'), `${folder.path}/raw.log`])
      await raw.send(responses)
      const [own = [], bare = []] = await measureCosts([ours, { server: raw, next, connections: WRITERS }])
      const details = `ours ${median(own).toFixed(0)} µs, raw ${median(bare).toFixed(0)} µs`
      yield { id: 'note', value: medianRatio(bare, own), details }
    }
    if (wanted.has('notes')) {
      await reset()
      const few = await measureCost(ours, { seconds: Infinity, requests: 500 })
      await measureCost(ours, { seconds: Infinity, requests: 9_500 })
      const many = await measureCost(ours, { seconds: Infinity, requests: 500 })
      yield { id: 'notes', value: many / few }
    }
  },
}
