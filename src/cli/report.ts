import { writeFile } from 'node:fs/promises'

import { type Command, Option } from 'commander'

import { readJsonFile } from '../disk/parse-json.ts'
import { describeWriteError } from '../disk/storage-errors.ts'
import {
  formatReportFile,
  mergeReportFiles,
  type NamedReport,
  parseReportFile,
  type ReportFile,
} from '../explain/report-file.ts'
import { CommandError } from './failure.ts'
import { addExamples } from './help.ts'
import { print } from './output.ts'

export function addReport(program: Command): void {
  const report = program.command('report').description('merge the reports of several runs')
  const command = report
    .command('merge')
    .description('merge report files, as exec and the Vitest reporter write them')
    .usage('[options] <files...>')
    .argument('<files...>', 'the files to merge, in any order')
    .addOption(new Option('--output <file>', 'write the result to a file').helpGroup('Output:'))
  addExamples(command).action(mergeFiles)
}

async function mergeFiles(names: readonly string[], { output }: { readonly output?: string }): Promise<void> {
  const files = await Promise.all(names.map(readReport))
  const text = formatReportFile(merge(files))
  if (output === undefined) print(text.trimEnd())
  else await writeReport(output, text)
}

function merge(files: readonly NamedReport[]): ReportFile {
  try {
    return mergeReportFiles(files)
  } catch (error) {
    throw new CommandError(`Cannot merge these reports: ${describe(error)}. Merge each sort by itself.`)
  }
}

/** The largest report. Units: MiB. */
const MAX_MIB = 64

export async function readReport(name: string): Promise<NamedReport> {
  try {
    return { name, file: parseReportFile(await readJsonFile(name, MAX_MIB)) }
  } catch (error) {
    throw new CommandError(`Cannot read report ${name}: ${describe(error)}. Check the file.`)
  }
}

export async function writeReport(name: string, text: string): Promise<void> {
  try {
    await writeFile(name, text)
  } catch (error) {
    throw new CommandError(`Cannot write report ${name}: ${describeWriteError(error)}. Check the path.`)
  }
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error))
