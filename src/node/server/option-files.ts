import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { buffer } from 'node:stream/consumers'

import { isFixturePath } from '../../contract/fields.ts'
import { formatErrors, SandboxError } from '../../core/errors.ts'
import { InvalidContent, parseWrittenJson } from '../../core/json-text.ts'
import { isObject, isShallow, MAX_DEPTH, nestedTooDeep } from '../../core/json.ts'
import { asSentence } from '../../core/words.ts'
import { MIB } from '../../http/read-body.ts'
import type { DatasetOptions } from '../../sessions/dataset-options.ts'
import { describeReadError } from '../../store/disk/storage-errors.ts'
import { StartError } from './options.ts'

/** The largest fixture or state, which still fits into a string. Units: MiB. */
const MAX_MIB = 500

/**
 * Does work with a dataset, whose fixture may be the path of a file. Errors about the content of the file name it.
 * @throws StartError for a file that cannot be used, and the errors of the work
 */
export async function withFixture<T>(
  { seed, size, fixture, now, future }: DatasetOptions,
  work: (dataset: DatasetOptions) => Promise<T>,
): Promise<T> {
  const path = typeof fixture === 'string' && isFixturePath(fixture) ? fixture : undefined
  const content = path === undefined ? undefined : await readFixture(path)
  try {
    return await work({ seed, size, fixture: content ?? fixture, now, future })
  } catch (error) {
    const start = `Cannot load fixture ${String(content?.['name'])}: `
    if (!content || !(error instanceof Error) || !error.message.includes(start)) throw error
    const message = error.message.replace(start, () => `Cannot use fixture ${path}: `)
    throw new StartError('unusable_fixture', message)
  }
}

async function readFixture(path: string): Promise<Record<string, unknown>> {
  const unusable = (fact: string, remedy: string): StartError =>
    new StartError('unusable_fixture', `Cannot use fixture ${path}: ${fact}. ${remedy}`)
  const missing = 'Check the path, or use the name of a built-in fixture.'
  const content = await readJsonFile(path, MAX_MIB, missing).catch((error: unknown) => {
    if (!(error instanceof InvalidContent)) throw error
    throw unusable(error.message, error.remedy ?? 'Correct the file.')
  })
  if (!isObject(content)) throw unusable('it is not a JSON object', 'Write { "customers": [...] } and so on.')
  // The schema is for editors, so it must not make another dataset.
  const { $schema: _, ...fixture } = content
  // A fixture without a name is named after its file.
  return { name: basename(path, extname(path)), ...fixture }
}

/** Does work with a saved state, or with that of a file. Errors: as `withFixture`. */
export async function withState<T>(
  state: string | object | undefined,
  work: (state: object | undefined) => Promise<T>,
): Promise<T> {
  if (typeof state !== 'string') return work(state)
  try {
    const content = await readJsonFile(state, MAX_MIB, 'Check the path.')
    if (!isObject(content)) throw new InvalidContent('it is not a JSON object')
    return await work(content)
  } catch (error) {
    const { errors, errorCount = 0 } = error instanceof SandboxError ? error : {}
    const facts =
      error instanceof InvalidContent
        ? error.sentences
        : errors && asSentence(formatErrors(errors, errorCount, ({ name }) => name || 'it'))
    if (facts === undefined) throw error
    throw new StartError('unusable_state', `Cannot use state ${state}: ${facts}`, { cause: error })
  }
}

/** The devices and the files of a process, among them the pipes that a shell makes of `<(command)`. */
const SYSTEM = /^\/(?:dev|proc)\//

/** Rejects a pipe, whose other end may never be opened. Errors: InvalidContent; ENOENT if there is nothing. */
export async function rejectPipe(path: string): Promise<void> {
  if (!SYSTEM.test(path) && (await stat(path)).isFIFO())
    throw new InvalidContent('it is a pipe', 'Name a file.')
}

/**
 * Reads a JSON file that a user names. Errors: InvalidContent, also if the file cannot be read.
 * @param most units: MiB
 * @param remedy for a file that cannot be read
 */
export async function readJsonFile(path: string, most: number, remedy?: string): Promise<unknown> {
  const end = most * MIB
  const bytes = await rejectPipe(path)
    .then(() => buffer(createReadStream(path, { end, highWaterMark: MIB })))
    .catch((error: unknown) => {
      throw error instanceof InvalidContent ? error : new InvalidContent(describeReadError(error), remedy)
    })
  if (bytes.length > end) throw new InvalidContent(`it is larger than ${most} MiB`, 'Make it smaller.')
  const value = parseWrittenJson(bytes)
  if (!isShallow(value, MAX_DEPTH)) throw new InvalidContent(`it ${nestedTooDeep}`)
  return value
}
