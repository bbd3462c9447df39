import { costOf, type Side } from './compare.ts'
import type { Asked } from './load.ts'
import {
  readyAnswers,
  type Server,
  serverFile,
  startCommand,
  startServer,
  temporaryFolder,
} from './servers.ts'
import { comparison, growth, type Suite } from './suite.ts'
import { notesPath, postRequest } from './tenant.ts'

const CONNECTIONS = 32

/** How many notes there are when the next ones are measured. */
const FILLED = [0, 1_000, 10_000] as const

/** So many are measured: few against the thousand in between. */
const MEASURED = 500

const body = JSON.stringify({ categoryId: 1, content: 'Asked about the roll-out to the second region.' })

/** Notes that are on the disk before they are answered. */
export const notes: Suite = {
  ids: ['note', 'notes'],
  async *measure(wanted, settings) {
    using folder = temporaryFolder()
    await using server = await startCommand(
      '--size',
      settings.isQuick ? 'medium' : 'large',
      '--data',
      `${folder.path}/data`,
    )
    const ours = await noteSide(server)
    if (wanted.has('note')) {
      await using limit = await startServer([serverFile('raw-notes'), `${folder.path}/raw.log`])
      await limit.tell(await readyAnswers(server, [ours.next()]))
      yield await comparison(
        { id: 'note', title: 'POST a note, durable', goal: { atLeast: 0.45 } },
        { server: limit, next: ours.next, connections: CONNECTIONS },
        { ...ours, prepare: () => reset(server) },
        settings,
      )
    }
    if (wanted.has('notes')) {
      yield growth(
        { id: 'notes', title: 'POST a note where there are up to 10,000', goal: { atMost: 1.5 } },
        FILLED,
        await growingCosts(ours, settings.rounds),
      )
    }
  },
}

/** What each note costs where there are none, and where there are many, all of one customer. */
async function growingCosts(ours: Side, rounds: number): Promise<number[][]> {
  const costs = FILLED.map((): number[] => [])
  // In the round before the first, functions are compiled.
  for (let round = -1; round < rounds; round += 1) {
    await reset(ours.server)
    let written = 0
    for (const [index, filled] of FILLED.entries()) {
      if (filled > written) await costOf(ours, { seconds: Infinity, requests: filled - written })
      const { cpuUs } = await costOf(ours, { seconds: Infinity, requests: MEASURED })
      if (round >= 0) costs[index]?.push(cpuUs)
      written = filled + MEASURED
    }
  }
  return costs
}

async function noteSide(server: Server): Promise<Side> {
  const [answer] = await readyAnswers(server, [postRequest(notesPath, body, 0)])
  const asked: Asked = postRequest(notesPath, body, answer?.body.length ?? 0)
  return { server, next: () => asked, connections: CONNECTIONS }
}

async function reset(server: Server): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${server.port}/_sandbox/reset`, { method: 'POST' })
  if (!response.ok) throw new Error(`the reset was answered ${response.status}`)
}
