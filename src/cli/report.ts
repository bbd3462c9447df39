import type { Command } from 'commander'

import { readJsonFile } from '../disk/parse-json.ts'
import {
  formatReportFile,
  mergeReportFiles,
  type NamedReport,
  parseReportFile,
} from '../explain/report-file.ts'
import { CommandError } from './failure.ts'
import { addExamples } from './help.ts'
import { print, writeOutput } from './output.ts'
import { defineOption } from './settings.ts'

export function addReport(program: Command): void {
  const report = program.command('report').description('merge the reports of several runs')
  const command = report
    .command('merge')
    .description('merge report files, as exec and the Vitest reporter write them')
    .usage('[options] <files...>')
    .argument('<files...>', 'the files to merge, in any order')
    .addOption(defineOption('Output', '--output <file>', 'write the result to a file'))
  addExamples(command).action(mergeFiles)
}

async function mergeFiles(names: readonly string[], { output }: { readonly output?: string }): Promise<void> {
  const files = await Promise.all(names.map(readReport))
  try {
    const text = formatReportFile(mergeReportFiles(files))
    if (output === undefined) print(text.trimEnd())
    else await writeReport(output, text)
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`Cannot merge these reports: ${describe(error)}. Merge each sort by itself.`)
  }
}

const MAX_MIB = 64

export async function readReport(name: string): Promise<NamedReport> {
  try {
    return { name, file: parseReportFile(await readJsonFile(name, MAX_MIB)) }
  } catch (error) {
    throw new CommandError(`Cannot read report ${name}: ${describe(error)}. Check the file.`)
  }
}

export async function writeReport(name: string, text: string): Promise<void> {
  await writeOutput(name, text, 'Check the path.', `report ${name}`)
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error))
