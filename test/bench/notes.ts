import { measureCost, measureCosts, type Subject } from './measure.ts'
import { note, notesPath, prepare } from './requests.ts'
import { median, medianRatio, type Suite } from './rows.ts'
import { serverFile, startCommand, startServer, temporaryFolder } from './servers.ts'

const CONNECTIONS = 32

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
    const ours: Subject = { server, next, connections: CONNECTIONS, prepare: reset }
    if (wanted.has('note')) {
      await using raw = await startServer([serverFile('raw-notes'), `${folder.path}/raw.log`])
      await raw.send(responses)
      const [own = [], bare = []] = await measureCosts([
        ours,
        { server: raw, next, connections: CONNECTIONS },
      ])
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
