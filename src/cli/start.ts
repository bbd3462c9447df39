import { startSandbox } from '../node.ts'
import { DEFAULT_PORT } from '../server/options.ts'
import { banner, jsonLine } from './banner.ts'
import { print, warn } from './output.ts'
import { resolved } from './resolve.ts'
import { stopSignal } from './stop-signal.ts'

/** Starts a server, tells about it, and runs until it is asked to end. */
export async function start(flags: Readonly<Record<string, unknown>>): Promise<void> {
  const { options, data } = await resolved(flags)
  const { json, quiet, ...rest } = options
  const stopped = stopSignal()
  const running = await startSandbox({ ...rest, ...(data !== undefined && { data }) })
  const { port } = new URL(running.url)
  if (options.port === undefined && Number(port) !== DEFAULT_PORT) {
    warn(`Port ${DEFAULT_PORT} is in use: listening on ${port} instead.`)
  }
  if (!quiet) print(json ? jsonLine(running) : banner(running, data))
  await stopped
  await running.close()
}
