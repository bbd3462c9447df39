import { writeFile } from 'node:fs/promises'

import { describeWriteError } from '../disk/storage-errors.ts'
import { getContract } from '../resources/contract.ts'
import { resolveSettings as resolveOverrides } from '../sandbox/resolve-settings.ts'
import { renderShapeTypes } from '../schemas/shape-types.ts'
import { loadCalibration } from '../server/calibration-file.ts'
import { CommandError } from './failure.ts'
import { print } from './output.ts'
import type { Flags } from './settings.ts'
import { resolveSettings } from './sources.ts'

/** Prints TypeScript declarations of the records whose fields the document does not show, or writes them to a file. */
export async function printTypes({ out, ...flags }: Flags): Promise<void> {
  const { options } = await resolveSettings(flags)
  const calibration = await loadCalibration(options.calibration)
  const text = renderShapeTypes(getContract(await resolveOverrides({ ...options, calibration })))
  if (typeof out !== 'string') {
    print(text.trimEnd())
    return
  }
  try {
    await writeFile(out, text)
  } catch (error) {
    throw new CommandError(`Cannot write ${out}: ${describeWriteError(error)}. Check --out.`)
  }
  print(`Wrote ${out}.`)
}
