import { choices } from '../../contract/choices.ts'
import type { PartialSettings } from '../../contract/settings.ts'
import { stopwatch } from '../../core/system-clock.ts'
import { listRuns, MATRIX_TIMEOUT_MS, runMatrix } from '../../sandbox/assumption-matrix.ts'
import { getFirstLine } from '../../sandbox/run-client.ts'
import type { Job, ModeResult } from './exec-journal.ts'
import { CommandError } from './failure.ts'
import type { TestCase } from './junit.ts'
import { createProgress, print, warn } from './output.ts'
import { startCommand, toOutcome } from './processes.ts'
import { commandVariables } from './settings.ts'

/** Runs a command under the given assumptions, and under each other value of each setting, in a session of its own. */
export async function runCommandMatrix(
  { running: { sandbox, url }, words, variables, isQuiet, prepare, journal }: Job,
  assumptions: PartialSettings,
): Promise<ModeResult> {
  const listed = listRuns({ assumptions })
  const total = listed.filter(({ isBase }) => !isBase).length
  const sayProgress = createProgress('run', isQuiet)
  let count = 0
  const times: number[] = []
  try {
    const matrix = await runMatrix(
      async (overrides) => {
        const session = sandbox.session({ assumptions: overrides })
        prepare(session)
        const startedMs = stopwatch()
        const env = { ...process.env, ...variables(`${url}/_sandbox/sessions/${session.id}/v1`) }
        const outcome = toOutcome(await startCommand(words, env, MATRIX_TIMEOUT_MS).ended, MATRIX_TIMEOUT_MS)
        const isIdle = session.requests.list().length === 0
        times.push(stopwatch() - startedMs)
        journal.read(session.requests, count === 0)
        session.close()
        sayProgress(count, total)
        count += 1
        return { ...outcome, isIdle }
      },
      { assumptions },
      `Let it use the base URL in ${commandVariables.baseUrl}.`,
    )
    print(String(matrix))
    const [baseMs, ...othersMs] = times
    const cases = matrix.runs.map(({ id, name, value, meaning, passed, error }, index): TestCase => {
      const failure = `${getFirstLine(error)}\nUnder --assume ${name}=${choices[name].write(value)}: ${meaning}`
      // The values under which the command ran first have no run of their own.
      const tookMs = listed[index]?.isBase ? 0 : othersMs.shift()
      return {
        name: `${id} ${name}=${choices[name].write(value)}`,
        tookMs,
        failure: passed ? undefined : failure,
      }
    })
    const base = { name: 'without another value', tookMs: baseMs }
    return { code: matrix.dependsOn.length === 0 ? 0 : 1, cases: [base, ...cases] }
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error)) throw error
    warn(error.message)
    return { code: 1, cases: [{ name: 'without another value', failure: error.message }] }
  }
}
