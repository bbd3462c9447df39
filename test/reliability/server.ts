import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

import { onTestFinished } from 'vitest'

import { listening } from '../entry-points/command.ts'
import { temporaryFolder } from '../folders.ts'

/** Units: bytes. */
export interface Memory {
  /** Memory in use after garbage collection. */
  readonly live: number
  readonly rss: number
}

interface ProbeOptions {
  /** The limit of the heap. Units: megabytes. */
  readonly heap?: number
}

/** Starts the built command with the probe inside; kills it when the test finishes. */
function startProbed(args: readonly string[], { heap }: ProbeOptions = {}) {
  const limits = heap === undefined ? [] : [`--max-old-space-size=${heap}`]
  const child = fork(resolve('dist/cli.js'), args, {
    cwd: temporaryFolder(),
    env: { PATH: process.env['PATH'] },
    execArgv: [...limits, '--import', new URL('probe.mjs', import.meta.url).href],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('the output of the child process is not piped')
  return Object.assign(child, { stdout, stderr })
}

/** Starts a server with the probe inside, and waits until it listens. */
export async function serveProbed(args: readonly string[], options: ProbeOptions = {}) {
  const place = args.includes('--data') ? [] : ['--memory']
  const common = ['start', '--port', '0', '--json', '--size', 'small', ...place]
  const server = await listening(startProbed([...common, ...args], options))
  const memory = async (): Promise<Memory> => {
    server.child.send('memory')
    const [answer] = await once(server.child, 'message')
    return answer
  }
  return { ...server, memory }
}
