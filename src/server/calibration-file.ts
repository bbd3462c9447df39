import { Calibration } from '../contract/calibration.ts'
import { asSentence, validationErrors } from '../core/issues.ts'
import { readJsonFile } from '../disk/parse-json.ts'
import { InvalidContent } from '../disk/storage-errors.ts'
import { StartError } from './options.ts'

export const CALIBRATION_FILE = 'workspace-sandbox.calibration.json'

/** The largest file. Units: MiB. */
const MAX_MIB = 4

/** Reads a calibration: a file, if the option names one. @throws StartError that names the file */
export async function loadCalibration(source: string | object | undefined): Promise<Calibration | undefined> {
  if (source === undefined) return undefined
  try {
    return parseCalibration(typeof source === 'string' ? await readJsonFile(source, MAX_MIB) : source)
  } catch (error) {
    if (!(error instanceof InvalidContent)) throw error
    const name = typeof source === 'string' ? `calibration ${source}` : 'the option calibration'
    const remedy = 'Write it again with workspace-sandbox calibrate.'
    const message = `Cannot use ${name}: ${asSentence(error.message)} ${remedy}`
    throw new StartError('unusable_calibration', message, { cause: error })
  }
}

function parseCalibration(content: unknown): Calibration {
  const parsed = Calibration.safeParse(content, { reportInput: true })
  if (parsed.success) return parsed.data
  const [first] = validationErrors('body', Calibration, parsed.error.issues)
  throw new InvalidContent(`${first?.name || 'it'} ${first?.message}`)
}
