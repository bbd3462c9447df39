import { readPort, run, sandboxCommand, serverFile, stop, temporaryFolder } from './servers.ts'
import { median, summarizeRatios } from './statistics.ts'
import type { Row, Settings, Suite } from './suite.ts'
import { get } from './tenant.ts'

const ME = '/v1/members/me'

/** Measures the time from spawning the process to the first response, compared with a minimal app. */
export const starts: Suite = {
  ids: ['start-small', 'start-medium'],
  async *measure(wanted, settings) {
    using folder = temporaryFolder()
    if (wanted.has('start-small')) {
      const row = { id: 'start-small', title: 'start small, to the first response', goal: { atMost: 1.5 } }
      yield await startRow(row, ['--size', 'small', '--memory'], settings)
    }
    if (wanted.has('start-medium')) {
      const row = { id: 'start-medium', title: 'start medium from its files', goal: { atMost: 1.8 } }
      const args = ['--size', 'medium', '--data', `${folder.path}/data`]
      await measureStart(sandboxCommand(...args), ME)
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
  // The round before the first fills the disk cache.
  for (let round = -1; round < (isQuick ? rounds : 2 * rounds); round += 1) {
    const baseline = await measureStart([serverFile('hello')], '/hello')
    const own = await measureStart(sandboxCommand(...args), ME)
    if (round < 0) continue
    hello.push(baseline)
    ours.push(own)
  }
  const details = `ours ${median(ours).toFixed(0)} ms, Hono hello ${median(hello).toFixed(0)} ms`
  return { ...row, unit: 'ours / Hono hello', measured: summarizeRatios(ours, hello), details }
}

/** Units: milliseconds. */
async function measureStart(args: readonly string[], path: string): Promise<number> {
  const start = performance.now()
  const child = run(args)
  try {
    const port = await readPort(child)
    await get({ port }, path)
    return performance.now() - start
  } finally {
    await stop(child, 'SIGTERM')
  }
}
