import type { Command } from 'commander'

import { CALIBRATION_FILE } from '../server/option-files.ts'
import type { CalibrateFlags } from './calibrate.ts'
import { addExamples } from './help.ts'
import { defineOption } from './settings.ts'

const repeat = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]

const options = [
  defineOption('Answers', '--har <file>', 'recorded traffic, as browsers save it; repeatable').argParser(
    repeat,
  ),
  defineOption('Answers', '--response <operation=file>', 'the body of one answer; repeatable').argParser(
    repeat,
  ),
  defineOption('Tenant', '--base-url <url>', 'the tenant to ask, with reading requests only'),
  defineOption('Tenant', '--dry-run', 'print every request, and send none'),
  defineOption('Tenant', '--yes', 'send the requests without asking first'),
  defineOption('Output', '--out <file>', 'the calibration file').default(CALIBRATION_FILE),
  defineOption('Output', '--check', 'compare with the calibration file, and write nothing'),
  defineOption(
    'Output',
    '--assumption-report <file>',
    'with --check, name the tests that depend on a difference',
  ),
  defineOption('Output', '--json', 'print the result as JSON'),
]

const checkCodes = `
Exit codes of --check:
  0  the tenant answers as in the calibration file
  1  something moved
  3  evidence is lost, or the tenant could not be asked`

export function addCalibrate(program: Command): void {
  const command = program
    .command('calibrate')
    .description('compare answers of a real tenant with the assumptions, and write what they show')
    .allowExcessArguments(false)
  for (const one of options) command.addOption(one)
  addExamples(command.addHelpText('after', checkCodes)).action(async (flags: CalibrateFlags) => {
    // Imported here, because other commands do not need it.
    const { calibrateTenant } = await import('./calibrate.ts')
    await calibrateTenant(flags)
  })
}
