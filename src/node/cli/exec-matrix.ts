import { choices } from '../../contract/choices.ts'
import type { PartialSettings } from '../../contract/settings.ts'
import { listRuns, MATRIX_TIMEOUT_MS, runMatrix } from '../../sandbox/assumption-matrix.ts'
import { getFirstLine } from '../../sandbox/run-client.ts'
import type { RunningSandbox } from '../server/start.ts'
import { CommandError } from './failure.ts'
import type { TestCase } from './junit.ts'
import { print, warn } from './output.ts'
import { startCommand, toOutcome } from './processes.ts'
import { createProgress } from './progress.ts'
import { commandVariables } from './settings.ts'

/** Runs a command under the given assumptions, and under each other value of each setting, in a session of its own. */
export async function runCommandMatrix(
  { sandbox, url }: Pick<RunningSandbox, 'sandbox' | 'url'>,
  words: readonly string[],
  variables: (baseUrl: string) => NodeJS.ProcessEnv,
  assumptions: PartialSettings | undefined,
  isQuiet: boolean,
): Promise<{ readonly passed: boolean; readonly cases: readonly TestCase[] }> {
  const total = listRuns({ assumptions }).filter(({ isBase }) => !isBase).length
  const sayProgress = createProgress('run', isQuiet)
  let count = 0
  try {
    const matrix = await runMatrix(
      async (overrides) => {
        const session = sandbox.session({ assumptions: overrides })
        const env = { ...process.env, ...variables(`${url}/_sandbox/sessions/${session.id}/v1`) }
        const outcome = toOutcome(await startCommand(words, env, MATRIX_TIMEOUT_MS).ended, MATRIX_TIMEOUT_MS)
        if (count === 0 && outcome.passed && session.requests.list().length === 0) {
          const fact = 'The command has sent no request through its session, so no assumption could matter.'
          throw new Error(`${fact} Let it use the base URL in ${commandVariables.baseUrl}.`)
        }
        session.close()
        sayProgress(count, total)
        count += 1
        return outcome
      },
      { assumptions },
    )
    print(String(matrix))
    const cases = matrix.runs.map(({ id, name, value, meaning, passed, error }): TestCase => {
      const failure = `${getFirstLine(error)}\nUnder --assume ${name}=${choices[name].write(value)}: ${meaning}`
      return { name: `${id} ${name}=${choices[name].write(value)}`, failure: passed ? undefined : failure }
    })
    return { passed: matrix.dependsOn.length === 0, cases }
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error)) throw error
    warn(error.message)
    return { passed: false, cases: [{ name: 'without another value', failure: error.message }] }
  }
}
