/**
 * Runs inside of a server under test: answers questions of the test over IPC, and simulates disk errors. `DISK` is a
 * plan in JSON, see disk.mjs; without one, the disk works as usual.
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
// Listening for questions must not keep the server alive.
process.channel?.unref()

/** Measures the memory in use after garbage collection. Units: bytes. */
async function memory() {
  for (let round = 0; round < 4; round += 1) {
    await new Promise(setImmediate)
    collect()
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  return { live: heapUsed + external, rss }
}

/** Replaces the orders for the disk; returns the number of operations since the last ones. */
function disk(orders) {
  const done = operations()
  arm(orders)
  return { operations: done }
}
