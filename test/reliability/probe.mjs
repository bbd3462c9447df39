/** Runs inside of a server under test, and measures its memory when the test asks over IPC. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

process.on('message', () => void memory().then((answer) => process.send(answer)))
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
