import type { Command } from 'commander'

import { choiceNames, choices } from '../../contract/choices.ts'
import { InvalidContent } from '../../core/json-text.ts'
import { didYouMean } from '../../core/nearest.ts'
import { indentColumns, pluralize } from '../../core/words.ts'
import { type Answer, readHar, readResponse } from '../../lab/calibration/answers.ts'
import { calibrate, type Calibration } from '../../lab/calibration/calibrate.ts'
import { type OperationId, operations } from '../../service/index.ts'
import { readJsonFile } from '../server/option-files.ts'
import { CommandError, usageError } from './failure.ts'
import { print, warn } from './output.ts'
import { addSetting, defineOption } from './settings.ts'
import { resolveSettings } from './sources.ts'

interface CalibrateFlags {
  readonly har?: readonly string[]
  readonly response?: readonly string[]
  readonly check?: boolean
  readonly json?: boolean
}

const collect = (text: string, before: readonly string[] = []) => [...before, text]

export function addCalibrate(command: Command): void {
  const har = defineOption('Answers', '--har <file>', 'recorded traffic, as browsers save it; repeatable')
  const response = defineOption('Answers', '--response <operation=file>', 'the body of an answer; repeatable')
  command
    .allowExcessArguments(false)
    .addOption(har.argParser(collect))
    .addOption(response.argParser(collect))
    .addOption(defineOption('Output', '--check', 'exit with 1 if the answers contradict the config'))
    .addOption(defineOption('Output', '--json', 'print the result as JSON'))
  addSetting(command, 'config')
  command.action(() => calibrateFiles(command))
}

async function calibrateFiles(command: Command): Promise<void> {
  const { har = [], response = [], check, json }: CalibrateFlags = command.opts()
  if (har.length + response.length === 0) {
    const ways = 'a recording with --har FILE, or one answer with --response OPERATION=FILE'
    throw usageError(`calibrate needs answers: ${ways}.`)
  }
  const { options } = await resolveSettings(command)
  const answers: Answer[] = []
  // One large file at a time.
  for (const file of har) answers.push(...(await readAnswers(file, readHar)))
  for (const text of response) {
    const [, id = '', file = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? []
    if (!isOperation(id)) {
      const fact = file === '' ? 'write OPERATION=FILE' : `${id} is not an operation`
      throw usageError(`Cannot use --response ${text}: ${fact}. ${didYouMean(id, Object.keys(operations))}`)
    }
    answers.push(await readAnswers(file, (body) => readResponse(id, body)))
  }
  const result = calibrate(answers, options.assumptions)
  const { contradicted, ...shown } = result
  if (json) print(JSON.stringify(shown, null, 2))
  else for (const line of formatCalibration(result, answers.length)) print(line)
  if (!check) return
  const compared = Object.values(result.verdicts).filter(({ answers: count }) => count > 0).length
  if (contradicted.length > 0) warn(`The answers contradict the config in ${contradicted.join(', ')}.`)
  else if (compared === 0) warn('The answers show nothing of any setting. Record more of them.')
  else warn(`The answers agree with the config in ${pluralize(compared, 'setting')}.`)
  process.exitCode = contradicted.length > 0 || compared === 0 ? 1 : 0
}

const isOperation = (id: string): id is OperationId => Object.hasOwn(operations, id)

const MAX_MIB = 64

async function readAnswers<T>(file: string, read: (content: unknown) => T): Promise<T> {
  try {
    return read(await readJsonFile(file, MAX_MIB))
  } catch (error) {
    if (error instanceof InvalidContent) throw new CommandError(`Cannot use ${file}: ${error.sentences}`)
    throw error
  }
}

function formatCalibration({ assumptions, verdicts, unmodelled }: Calibration, count: number): string[] {
  const lines = choiceNames.flatMap((name) => {
    const { verdict = '', value, answers = 0 } = verdicts[name] ?? {}
    const shown = value === undefined ? '' : choices[name].write(value)
    return answers === 0 ? [] : [[name, verdict, shown, pluralize(answers, 'answer')]]
  })
  const unseen = choiceNames.filter((name) => verdicts[name]?.answers === 0)
  const fields = unmodelled.map(({ operationId, field, type }) => [operationId, field, type])
  return [
    `${pluralize(count, 'answer')} compared with ${pluralize(choiceNames.length, 'setting')}.`,
    ...indentColumns(lines),
    ...(unseen.length > 0 ? [`Undecided, because nothing was seen of them: ${unseen.join(', ')}.`] : []),
    ...(fields.length > 0 ? ['', 'Fields that the sandbox does not have; show them with `present`:'] : []),
    ...indentColumns(fields),
    '',
    'For the config:',
    '',
    `"assumptions": ${JSON.stringify(assumptions, null, 2)}`,
  ]
}
