import type { PartialSettings } from '../../contract/settings.ts'
import { MATRIX_TIMEOUT_MS, runMatrix } from '../../sandbox/assumption-matrix.ts'
import type { RunningSandbox } from '../server/start.ts'
import { runToEnd } from './command-client.ts'
import { CommandError } from './failure.ts'
import { print, warn } from './output.ts'

/**
 * Runs a command under the given assumptions, and under each other value of each setting, in a session of its own.
 * @returns the exit code: 1 if the command fails under a value
 */
export async function runCommandMatrix(
  { sandbox, url }: Pick<RunningSandbox, 'sandbox' | 'url'>,
  words: readonly string[],
  variables: (baseUrl: string) => NodeJS.ProcessEnv,
  assumptions: PartialSettings | undefined,
): Promise<number> {
  try {
    const matrix = await runMatrix(
      async (overrides) => {
        const session = sandbox.session({ assumptions: overrides })
        const env = { ...process.env, ...variables(`${url}/_sandbox/sessions/${session.id}/v1`) }
        const outcome = await runToEnd(words, env, MATRIX_TIMEOUT_MS)
        session.close()
        return outcome
      },
      { assumptions },
    )
    print(String(matrix))
    return matrix.dependsOn.length > 0 ? 1 : 0
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error)) throw error
    warn(error.message)
    return 1
  }
}
