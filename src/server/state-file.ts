import { readFile, stat } from 'node:fs/promises'

import { SandboxError } from '../core/errors.ts'
import { isNestedTooDeep, isObject, nestedTooDeep } from '../core/json.ts'
import { parseJson } from '../disk/parse-json.ts'
import { describeReadError, errorCode, InvalidContent } from '../disk/storage-errors.ts'
import { StartError } from './options.ts'

/** The largest file of a state. Units: bytes. */
const MAX_BYTES = 64 * 1_048_576

/** Reads a saved state, if the option names a file. @throws StartError that names the file */
export async function loadState(state: string | object | undefined): Promise<object | undefined> {
  if (typeof state !== 'string') return state
  try {
    if ((await stat(state)).size > MAX_BYTES) throw new InvalidContent('it is larger than 64 MiB')
    const bytes = await readFile(state)
    if (isNestedTooDeep(bytes.toString('latin1'))) throw new InvalidContent(`it ${nestedTooDeep}`)
    const content = parseJson(bytes)
    if (isObject(content)) return content
    throw new InvalidContent('it is not a JSON object')
  } catch (error) {
    if (error instanceof InvalidContent) throw unusable(state, `${error.message}.`, error)
    const fact = errorCode(error) === 'ENOENT' ? 'there is no such file' : describeReadError(error)
    throw unusable(state, `${fact}.`, error)
  }
}

/** Runs a function whose errors may be about a state, and makes those about its content name the file. */
export async function nameStateFile<T>(
  state: string | object | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (typeof state !== 'string' || !(error instanceof SandboxError)) throw error
    if (error.code === 'invalid_request' && error.errors) throw unusable(state, error.message, error)
    throw error
  }
}

const unusable = (path: string, fact: string, cause: unknown): StartError =>
  new StartError('unusable_state', `Cannot use state ${path}: ${fact}`, { cause })
