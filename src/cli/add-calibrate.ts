import { type Command, Option } from 'commander'

import { CALIBRATION_FILE } from '../server/option-files.ts'
import type { CalibrateFlags } from './calibrate.ts'
import { addExamples } from './help.ts'
import type { HelpGroup } from './settings.ts'

const repeat = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]

const option = (group: HelpGroup, flags: string, help: string): Option =>
  new Option(flags, help).helpGroup(`${group}:`)

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
    .addOption(
      option('Answers', '--har <file>', 'recorded traffic, as browsers save it; repeatable').argParser(
        repeat,
      ),
    )
    .addOption(
      option('Answers', '--response <operation=file>', 'the body of one answer; repeatable').argParser(
        repeat,
      ),
    )
    .addOption(option('Tenant', '--base-url <url>', 'the tenant to ask, with reading requests only'))
    .addOption(option('Tenant', '--dry-run', 'print every request, and send none'))
    .addOption(option('Tenant', '--yes', 'send the requests without asking first'))
    .addOption(option('Output', '--out <file>', 'the calibration file').default(CALIBRATION_FILE))
    .addOption(option('Output', '--check', 'compare with the calibration file, and write nothing'))
    .addOption(
      option(
        'Output',
        '--assumption-report <file>',
        'with --check, name the tests that depend on a difference',
      ),
    )
    .addOption(option('Output', '--json', 'print the result as JSON'))
  addExamples(command.addHelpText('after', checkCodes)).action(async (flags: CalibrateFlags) => {
    // Imported here, because other commands do not need it.
    const { calibrateTenant } = await import('./calibrate.ts')
    await calibrateTenant(flags)
  })
}
