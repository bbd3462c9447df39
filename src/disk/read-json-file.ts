import { readFile, stat } from 'node:fs/promises'

import { isNestedTooDeep, nestedTooDeep } from '../core/json.ts'
import { parseJson } from './parse-json.ts'
import { describeReadError, InvalidContent } from './storage-errors.ts'

/**
 * Reads a JSON file that a user names.
 * @param most units: MiB
 * Errors: InvalidContent, also if the file cannot be read.
 */
export async function readJsonFile(path: string, most: number): Promise<unknown> {
  const bytes = await readBytes(path, most * 1_048_576).catch((error: unknown) => {
    throw new InvalidContent(describeReadError(error))
  })
  if (!bytes) throw new InvalidContent(`it is larger than ${most} MiB`)
  if (isNestedTooDeep(bytes.toString('latin1'))) throw new InvalidContent(`it ${nestedTooDeep}`)
  return parseJson(bytes)
}

const readBytes = async (path: string, most: number): Promise<Buffer | undefined> =>
  (await stat(path)).size > most ? undefined : readFile(path)
