import type { PreparedRequest } from './load.ts'
import { measureCost, type Subject } from './measure.ts'
import {
  prepareResponses,
  type Server,
  serverFile,
  startCommand,
  startServer,
  temporaryFolder,
} from './servers.ts'
import { comparisonRow, growthRow, type Suite } from './suite.ts'
import { notesPath, postRequest } from './tenant.ts'

const CONNECTIONS = 32

/** Numbers of existing notes at which further notes are measured. */
const FILLED = [0, 1_000, 10_000] as const

const MEASURED = 500

const body = JSON.stringify({ categoryId: 1, content: 'Asked about the roll-out to the second region.' })

/** Measures notes that are flushed to the disk before the response. */
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
    const ours = await createNoteSubject(server)
    if (wanted.has('note')) {
      await using baseline = await startServer([serverFile('raw-notes'), `${folder.path}/raw.log`])
      await baseline.send(await prepareResponses(server, [ours.next()]))
      yield await comparisonRow(
        { id: 'note', title: 'POST a note, durable', goal: { atLeast: 0.4 } },
        { ...ours, prepare: () => reset(server) },
        [{ name: 'raw', server: baseline, next: ours.next, connections: CONNECTIONS }],
        settings,
      )
    }
    if (wanted.has('notes')) {
      yield growthRow(
        { id: 'notes', title: 'POST a note with up to 10,000 existing ones', goal: { atMost: 1.5 } },
        FILLED,
        await measureGrowth(ours, settings.rounds),
      )
    }
  },
}

/** Measures the cost of a note for a customer with no notes and with many. */
async function measureGrowth(ours: Subject, rounds: number): Promise<number[][]> {
  const costs = FILLED.map((): number[] => [])
  // The round before the first compiles functions.
  for (let round = -1; round < rounds; round += 1) {
    await reset(ours.server)
    let written = 0
    for (const [index, filled] of FILLED.entries()) {
      if (filled > written) await measureCost(ours, { seconds: Infinity, requests: filled - written })
      const { cpuUs } = await measureCost(ours, { seconds: Infinity, requests: MEASURED })
      if (round >= 0) costs[index]?.push(cpuUs)
      written = filled + MEASURED
    }
  }
  return costs
}

async function createNoteSubject(server: Server): Promise<Subject> {
  const [response] = await prepareResponses(server, [postRequest(notesPath, body, 0)])
  const request: PreparedRequest = postRequest(notesPath, body, response?.body.length ?? 0)
  return { server, next: () => request, connections: CONNECTIONS }
}

async function reset(server: Server): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${server.port}/_sandbox/reset`, { method: 'POST' })
  if (!response.ok) throw new Error(`the reset returned ${response.status}`)
}
