/**
 * Loaded into a server beside its own program: answers what a test asks over IPC, and breaks the disk where it is told
 * to. `DISK` is a plan in JSON, see disk.mjs; without one the disk is left alone.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { arm, operations, watchDisk } from './disk.mjs'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

if (process.env.DISK !== undefined) watchDisk(JSON.parse(process.env.DISK))

process.on('message', (question) => {
  if (question === 'memory') void memory().then((answer) => process.send(answer))
  else process.send(disk(question))
})
// Listening for questions shall not keep the server alive.
process.channel?.unref()

/** What is in use after everything else was collected. Units: bytes. */
async function memory() {
  for (let round = 0; round < 4; round += 1) {
    await new Promise(setImmediate)
    collect()
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  return { live: heapUsed + external, rss }
}

/** Gives how many operations there were since the disk was told something; tells it something else. */
function disk(orders) {
  const done = operations()
  arm(orders)
  return { operations: done }
}
