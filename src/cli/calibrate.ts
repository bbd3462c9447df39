import { readFile, stat } from 'node:fs/promises'

import type { Answer } from '../calibration/answers.ts'
import { calibrate } from '../calibration/calibrate.ts'
import { type Drift, findDrift, formatDrift } from '../calibration/drift.ts'
import { formatResult, formatWords } from '../calibration/format.ts'
import { MAX_FILE_BYTES, readHar, readResponseFile, tooLarge, UnusableFile } from '../calibration/har.ts'
import { countPlan, formatPlan, parseBaseUrl, probe, ProbeStopped } from '../calibration/probe.ts'
import type { Calibration } from '../contract/calibration.ts'
import { didYouMean } from '../core/nearest.ts'
import { pluralize } from '../core/words.ts'
import { describeReadError } from '../disk/storage-errors.ts'
import { type OperationId, operations } from '../resources/index.ts'
import { loadCalibration } from '../server/option-files.ts'
import { CommandError, usageError } from './failure.ts'
import { print, replaceFile, warn } from './output.ts'
import { TOKEN_VARIABLE } from './settings.ts'

export interface CalibrateFlags {
  readonly har?: readonly string[]
  readonly response?: readonly string[]
  readonly baseUrl?: string
  readonly dryRun?: boolean
  readonly yes?: boolean
  readonly check?: boolean
  readonly out: string
  readonly json?: boolean
}

export async function calibrateTenant(flags: CalibrateFlags): Promise<void> {
  const { har = [], response = [], baseUrl, dryRun, check, json } = flags
  if (dryRun) return printPlan()
  if (har.length === 0 && response.length === 0 && baseUrl === undefined) {
    const ways =
      'a recording with --har FILE, one answer with --response OPERATION=FILE, or a tenant with --base-url URL'
    throw usageError(`calibrate needs answers: ${ways}.`)
  }
  const earlier = check ? await readEarlier(flags.out) : undefined
  const answers = await withExitCode(check ? LOST : 1, async () => [
    ...(await readFiles(har, response)),
    ...(baseUrl === undefined ? [] : await askTenant(baseUrl, flags.yes ?? false)),
  ])
  const result = calibrate(answers)
  if (earlier) {
    const drifts = findDrift(earlier, result)
    if (json) print(JSON.stringify({ drift: drifts }, null, 2))
    else for (const line of formatDrift(drifts)) print(line)
    return endCheck(drifts, earlier, flags)
  }
  if (!json) for (const line of formatWords(result)) print(line)
  const { calibration, fixed, rates, words } = result
  await replaceFile(flags.out, `${JSON.stringify(calibration, null, 2)}\n`)
  const found = { ...calibration, fixed, rates, words, answers: result.answers }
  if (json) return print(JSON.stringify(found, null, 2))
  for (const line of formatResult(result)) print(line)
  print('')
  print(`Wrote ${flags.out}. Commit it: workspace-sandbox reads it at every start.`)
}

const LOST = 3

function endCheck(
  drifts: readonly Drift[],
  { verdicts = {} }: Calibration,
  { out, json }: CalibrateFlags,
): void {
  const compared = Object.values(verdicts).filter((one) => one !== undefined && one.answers > 0).length
  const moved = drifts.filter(({ kind }) => kind === 'moved').length
  const lost = drifts.length - moved
  process.exitCode = moved > 0 ? 1 : lost > 0 || compared === 0 ? LOST : 0
  if (json) return
  if (process.exitCode === 0) {
    return print(`The tenant answers as in ${out}: ${pluralize(compared, 'assumption')} compared.`)
  }
  const nothing = compared === 0 ? ` ${out} has no evidence to compare with.` : ''
  const evidence = `${pluralize(compared, 'assumption')} with evidence in ${out}`
  print(`${moved} moved, ${lost} lost, of ${evidence}.${nothing}`)
}

async function readEarlier(file: string): Promise<Calibration | undefined> {
  try {
    return await loadCalibration(file)
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error))
  }
}

async function withExitCode<T>(exitCode: 1 | 3, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isFailure = error instanceof CommandError && error.exitCode === 1
    throw isFailure ? new CommandError(error.message, exitCode) : error
  }
}

async function readFiles(
  recordings: readonly string[],
  responses: readonly string[],
): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (const file of recordings) {
    // oxlint-disable-next-line no-await-in-loop -- one large file at a time
    const { answers: own, others } = await readAnswers(file, readHar)
    if (own.length === 0) {
      const fact = `none of its ${others} entries is an answer of an operation of the service`
      throw new CommandError(`Cannot use ${file}: ${fact}. Record while your application calls the service.`)
    }
    answers.push(...own)
  }
  for (const text of responses) {
    const [, id = '', file = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? []
    if (file === '') {
      throw usageError(`Cannot use --response ${text}: write OPERATION=FILE, like listBriefs=brief.json.`)
    }
    if (!isOperation(id)) {
      const hint = didYouMean(id, Object.keys(operations))
      throw usageError(`Cannot use --response ${text}: ${id || 'an empty name'} is not an operation. ${hint}`)
    }
    // oxlint-disable-next-line no-await-in-loop -- in order
    answers.push(await readAnswers(file, (bytes) => readResponseFile(id, bytes)))
  }
  return answers
}

const isOperation = (id: string): id is OperationId => Object.hasOwn(operations, id)

async function readAnswers<T>(file: string, read: (bytes: Uint8Array) => T): Promise<T> {
  try {
    const { size } = await stat(file)
    if (size > MAX_FILE_BYTES) throw tooLarge(size)
    return read(await readFile(file))
  } catch (error) {
    if (error instanceof UnusableFile) throw new CommandError(`Cannot use ${file}: ${error.message}.`)
    throw new CommandError(`Cannot read ${file}: ${describeReadError(error)}. Check the path.`)
  }
}

function printPlan(): void {
  for (const line of formatPlan()) print(line)
  print(`At most ${countPlan()} requests, two a second. Nothing is written to the tenant.`)
}

async function askTenant(given: string, hasConsent: boolean): Promise<readonly Answer[]> {
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

const TOKEN_TIMEOUT_MS = 10_000
const MAX_TOKEN_CHARACTERS = 16_384

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
      if (text.includes('\n') || text.length > MAX_TOKEN_CHARACTERS) break
    }
  } catch {
    // Nothing came in time.
  } finally {
    clearTimeout(timer)
    process.stdin.destroy()
  }
  return text.split('\n')[0] ?? ''
}

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
