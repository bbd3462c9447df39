import { portOf, run, sandboxCommand, serverFile, stop, temporaryFolder } from './servers.ts'
import { medianOf, ratiosOf } from './statistics.ts'
import type { Row, Settings, Suite } from './suite.ts'
import { get } from './tenant.ts'

const ME = '/v1/members/me'

/** From the start of the process to the first answer; against the smallest application over the same HTTP server. */
export const starting: Suite = {
  ids: ['start-small', 'start-medium'],
  async *measure(wanted, settings) {
    using folder = temporaryFolder()
    if (wanted.has('start-small')) {
      const row = { id: 'start-small', title: 'start small, to the first answer', goal: { atMost: 1.5 } }
      yield await startRow(row, ['--size', 'small', '--memory'], settings)
    }
    if (wanted.has('start-medium')) {
      const row = { id: 'start-medium', title: 'start medium from its files', goal: { atMost: 1.8 } }
      const args = ['--size', 'medium', '--data', `${folder.path}/data`]
      await timeToAnswer(sandboxCommand(...args), ME)
      yield await startRow(row, args, settings)
    }
  },
}

async function startRow(
  row: Pick<Row, 'id' | 'title' | 'goal'>,
  args: readonly string[],
  { rounds, isQuick }: Settings,
): Promise<Row> {
  const [ours, hello]: [number[], number[]] = [[], []]
  // In the round before the first, files come into the disk's cache.
  for (let round = -1; round < (isQuick ? rounds : 2 * rounds); round += 1) {
    const limit = await timeToAnswer([serverFile('hello')], '/hello')
    const own = await timeToAnswer(sandboxCommand(...args), ME)
    if (round < 0) continue
    hello.push(limit)
    ours.push(own)
  }
  const details = `ours ${medianOf(ours).toFixed(0)} ms, Hono hello ${medianOf(hello).toFixed(0)} ms`
  return { ...row, unit: 'ours / Hono hello', measured: ratiosOf(ours, hello), details }
}

/** Units: milliseconds. */
async function timeToAnswer(args: readonly string[], path: string): Promise<number> {
  const start = performance.now()
  const child = run(args)
  try {
    const port = await portOf(child)
    await get({ port }, path)
    return performance.now() - start
  } finally {
    await stop(child, 'SIGTERM')
  }
}
