import { stopwatch } from '../core/system-clock.ts'
import { DEFAULT_PORT } from '../server/options.ts'
import { startServer } from '../server/start.ts'
import { formatBanner, formatJson } from './banner.ts'
import { print, warn } from './output.ts'
import type { Flags } from './settings.ts'
import { resolveSettings } from './sources.ts'

export async function start(flags: Flags): Promise<void> {
  const { options, data } = await resolveSettings(flags)
  const { json, quiet, ...rest } = options
  const stopped = waitForStop()
  const running = await startServer({ ...rest, ...(data !== undefined && { data }) }, { ownsProcess: true })
  const { port } = new URL(running.url)
  if (options.port === undefined && Number(port) !== DEFAULT_PORT) {
    warn(`Port ${DEFAULT_PORT} is in use, so the server listens on ${port}.`)
  }
  for (const warning of running.warnings) warn(warning)
  if (!quiet) print(json ? formatJson(running) : formatBanner(running, data, rest.now === 'system'))
  await stopped
  await running.close()
}

/** A second Ctrl-C within this time is npm's echo of the first. */
const ECHO_MS = 1_000

/** The time after which the process exits even if something hangs; acknowledged writes are on disk by then. */
const DEADLINE_MS = 4_500

const INTERRUPTED = 130

/** Waits for a signal to stop. The process then has 5 seconds to exit, and another Ctrl-C exits at once. */
function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    let firstMs: number | undefined
    const stop = (signal: NodeJS.Signals) => {
      if (firstMs === undefined) {
        firstMs = stopwatch()
        setTimeout(() => process.exit(), DEADLINE_MS).unref()
        resolve()
      } else if (signal === 'SIGINT' && stopwatch() - firstMs > ECHO_MS) {
        process.exit(INTERRUPTED)
      }
    }
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  })
}
