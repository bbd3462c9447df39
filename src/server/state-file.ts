import { SandboxError } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import { readJsonFile } from '../disk/parse-json.ts'
import { InvalidContent } from '../disk/storage-errors.ts'
import { StartError } from './options.ts'

/** The largest file of a state. Units: MiB. */
const MAX_MIB = 64

/** Reads a saved state, if the option names a file. @throws StartError that names the file */
export async function loadState(state: string | object | undefined): Promise<object | undefined> {
  if (typeof state !== 'string') return state
  try {
    const content = await readJsonFile(state, MAX_MIB)
    if (isObject(content)) return content
    throw new InvalidContent('it is not a JSON object')
  } catch (error) {
    throw error instanceof InvalidContent ? unusable(state, `${error.message}.`, error) : error
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
