import type { Answer } from '../calibration/answers.ts'
import { countPlan, formatPlan, parseBaseUrl, probe, ProbeStopped } from '../calibration/probe.ts'
import { CommandError, usageError } from './failure.ts'
import { print, warn } from './output.ts'
import { TOKEN_VARIABLE } from './settings.ts'

export function printPlan(): void {
  for (const line of formatPlan()) print(line)
  print(`At most ${countPlan()} requests, two a second. Nothing is written to the tenant.`)
}

/** Asks a tenant after consent. @throws CommandError */
export async function askTenant(given: string, hasConsent: boolean): Promise<readonly Answer[]> {
  const parsed = parseBaseUrl(given)
  if ('error' in parsed) throw usageError(`Cannot use --base-url: ${parsed.error}.`)
  const token = await readToken()
  const most = countPlan()
  if (!hasConsent) await askConsent(most)
  let count = 0
  const onRequest = (line: string): void => {
    count += 1
    warn(`${count} of at most ${most}: ${line}`)
  }
  try {
    return await probe({ baseUrl: parsed.baseUrl, token, onRequest })
  } catch (error) {
    if (!(error instanceof ProbeStopped)) throw error
    throw new CommandError(`Cannot calibrate: ${error.message}. Nothing was written.`)
  }
}

/** The longest wait for a token on standard input. Units: milliseconds. */
const TOKEN_TIMEOUT_MS = 10_000

/** Units: characters. */
const MAX_TOKEN = 16_384

/** Reads the token from the environment, or the first line of standard input. @throws CommandError */
async function readToken(): Promise<string> {
  const token = (process.env[TOKEN_VARIABLE] ?? (await readLine())).trim()
  if (token === '') {
    throw usageError(`--base-url needs the tenant's token in ${TOKEN_VARIABLE}, or on standard input.`)
  }
  if (!/^[\x21-\x7E]+$/.test(token)) {
    throw usageError('The token has characters that a header cannot have. Check it.')
  }
  return token
}

async function readLine(): Promise<string> {
  if (process.stdin.isTTY) return ''
  process.stdin.setEncoding('utf8')
  const timer = setTimeout(() => process.stdin.destroy(), TOKEN_TIMEOUT_MS)
  let text = ''
  try {
    for await (const piece of process.stdin) {
      text += String(piece)
      if (text.includes('\n') || text.length > MAX_TOKEN) break
    }
  } catch {
    // Nothing came in time.
  } finally {
    clearTimeout(timer)
    process.stdin.destroy()
  }
  return text.split('\n')[0] ?? ''
}

/** Asks for consent on a terminal. @throws CommandError without it */
async function askConsent(most: number): Promise<void> {
  const plan = `This sends at most ${most} GET requests to the tenant, two a second. --dry-run lists them.`
  if (!process.stdin.isTTY) throw usageError(`${plan} Add --yes to agree.`)
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C and Ctrl-D reject the question.
  const answer = await terminal.question(`${plan} Send them? [y/N] `).catch(() => '\n')
  terminal.close()
  if (answer === '\n') warn('')
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new CommandError('Nothing was sent.')
}
