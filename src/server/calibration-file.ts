import { readFile, stat } from 'node:fs/promises'

import { Calibration } from '../contract/calibration.ts'
import { asSentence, validationErrors } from '../core/issues.ts'
import { isNestedTooDeep, nestedTooDeep } from '../core/json.ts'
import { parseJson } from '../disk/parse-json.ts'
import { describeReadError, errorCode, InvalidContent } from '../disk/storage-errors.ts'
import { StartError } from './options.ts'

/** The name of the file that `calibrate` writes. */
export const CALIBRATION_FILE = 'workspace-sandbox.calibration.json'

/** The largest file. Units: bytes. */
const MAX_BYTES = 4 * 1_048_576

/** Reads a calibration: a file, if the option names one. @throws StartError that names the file */
export async function loadCalibration(source: string | object | undefined): Promise<Calibration | undefined> {
  if (source === undefined) return undefined
  try {
    return parseCalibration(typeof source === 'string' ? await readCalibration(source) : source)
  } catch (error) {
    const isInvalid = error instanceof InvalidContent
    const isAbsent = errorCode(error) === 'ENOENT'
    const fact = isAbsent ? 'there is no such file' : isInvalid ? error.message : describeReadError(error)
    const name = typeof source === 'string' ? `calibration ${source}` : 'the option calibration'
    const remedy = 'Write it again with workspace-sandbox calibrate.'
    const message = `Cannot use ${name}: ${asSentence(fact)} ${remedy}`
    throw new StartError('unusable_calibration', message, { cause: error })
  }
}

async function readCalibration(path: string): Promise<unknown> {
  if ((await stat(path)).size > MAX_BYTES) throw new InvalidContent('it is larger than 4 MiB')
  const bytes = await readFile(path)
  if (isNestedTooDeep(bytes.toString('latin1'))) throw new InvalidContent(`it ${nestedTooDeep}`)
  return parseJson(bytes)
}

function parseCalibration(content: unknown): Calibration {
  const parsed = Calibration.safeParse(content, { reportInput: true })
  if (parsed.success) return parsed.data
  const [first] = validationErrors('body', Calibration, parsed.error.issues)
  throw new InvalidContent(`${first?.name || 'it'} ${first?.message}`)
}
