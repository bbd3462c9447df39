import { readFile, stat } from 'node:fs/promises'

import type { Answer } from '../calibration/answers.ts'
import { calibrate, type CalibrationResult } from '../calibration/calibrate.ts'
import { type Drift, findDrift, formatDrift } from '../calibration/drift.ts'
import { formatResult, formatWords } from '../calibration/format.ts'
import { MAX_FILE_BYTES, readHar, readResponseFile, tooLarge, UnusableFile } from '../calibration/har.ts'
import type { Calibration } from '../contract/calibration.ts'
import { didYouMean } from '../core/nearest.ts'
import { describeReadError } from '../disk/storage-errors.ts'
import { pluralize } from '../explain/format-report.ts'
import { type OperationId, operations } from '../resources/index.ts'
import { loadCalibration } from '../server/calibration-file.ts'
import { askTenant, printPlan } from './calibrate-tenant.ts'
import { CommandError, usageError } from './failure.ts'
import { print } from './output.ts'
import { readReport } from './report.ts'
import { replaceFile } from './write-file.ts'

export interface CalibrateFlags {
  readonly har?: readonly string[]
  readonly response?: readonly string[]
  readonly baseUrl?: string
  readonly dryRun?: boolean
  readonly yes?: boolean
  readonly check?: boolean
  readonly out: string
  readonly assumptionReport?: string
  readonly json?: boolean
}

/** Compares answers with the assumptions, and writes or checks the calibration file. @throws CommandError */
export async function calibrateTenant(flags: CalibrateFlags): Promise<void> {
  const { har = [], response = [], baseUrl, dryRun, check, json } = flags
  if (dryRun) return printPlan()
  if (har.length === 0 && response.length === 0 && baseUrl === undefined) {
    throw usageError(
      'calibrate needs answers: a recording with --har FILE, one answer with --response OPERATION=FILE, or a tenant with --base-url URL.',
    )
  }
  const earlier = check ? await readEarlier(flags.out) : undefined
  const report = flags.assumptionReport === undefined ? undefined : await readReport(flags.assumptionReport)
  const answers = await withExitCode(check ? LOST : 1, async () => [
    ...(await readFiles(har, response)),
    ...(baseUrl === undefined ? [] : await askTenant(baseUrl, flags.yes ?? false)),
  ])
  const result = calibrate(answers)
  if (earlier) {
    const drifts = findDrift(earlier, result)
    if (json) print(JSON.stringify({ drift: drifts }, null, 2))
    else for (const line of formatDrift(drifts, report?.file.report, report?.file.unit ?? 'test')) print(line)
    return endCheck(drifts, earlier, flags)
  }
  if (!json) for (const line of formatWords(result)) print(line)
  await replaceFile(flags.out, `${JSON.stringify(result.calibration, null, 2)}\n`)
  if (json) return print(JSON.stringify(toJson(result), null, 2))
  for (const line of formatResult(result)) print(line)
  print('')
  print(`Wrote ${flags.out}. Commit it: workspace-sandbox reads it at every start.`)
}

const toJson = ({ calibration, fixed, rates, words, answers }: CalibrationResult) => ({
  ...calibration,
  fixed,
  rates,
  words,
  answers,
})

const LOST = 3

/** Ends a check: 0 if everything is the same, 1 if something moved, 3 if evidence is lost. */
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
  print(
    `${moved} moved, ${lost} lost, of ${pluralize(compared, 'assumption')} with evidence in ${out}.${nothing}`,
  )
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
    throw error instanceof CommandError && error.exitCode === 1
      ? new CommandError(error.message, exitCode)
      : error
  }
}

/** Reads the answers of recordings and of single files. @throws CommandError */
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
