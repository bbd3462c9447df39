import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'

import * as z from 'zod'

import type { DatasetOptions } from '../options.ts'
import { codeOf, readingFact } from '../store/disk.ts'
import { WrongContent } from '../store/formats.ts'
import { jsonOf } from '../store/json-content.ts'
import { StartError } from './start-error.ts'

/** Units: bytes. About as long as a text can be; a fixture that is sent to the control plane must be smaller. */
const MAX_BYTES = 500 * 1_048_576

/** Says whether a fixture is a file, and not the name of a builtin one: it has a slash, or ends in `.json`. */
const isPath = (fixture: string): boolean => /[\\/]|\.json$/i.test(fixture)

/**
 * What options say of the dataset, a fixture's file being replaced by its content, called as the file is.
 * Errors: StartError that names the file.
 */
export async function datasetOf({ seed, size, fixture, now }: DatasetOptions): Promise<DatasetOptions> {
  return {
    ...(seed !== undefined && { seed }),
    ...(size !== undefined && { size }),
    ...(fixture !== undefined && { fixture: await loaded(fixture) }),
    ...(now !== undefined && { now }),
  }
}

/**
 * Does something with a dataset that may come from a fixture file, so that errors name the file.
 * @param fixture the option as it was given
 */
export async function namingFixture<T>(
  fixture: DatasetOptions['fixture'],
  dataset: DatasetOptions,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (typeof fixture !== 'string' || typeof dataset.fixture !== 'object') throw error
    const start = `Cannot load fixture ${String(dataset.fixture['name'])}: `
    if (!(error instanceof Error) || !error.message.includes(start)) throw error
    const message = error.message.replace(start, () => `Cannot use fixture ${fixture}: `)
    throw new StartError('unusable_fixture', message)
  }
}

type Fixture = NonNullable<DatasetOptions['fixture']>

async function loaded(fixture: Fixture): Promise<Fixture> {
  if (typeof fixture !== 'string' || !isPath(fixture)) return fixture
  const content = z.record(z.string(), z.unknown()).safeParse(parsed(await bytesOf(fixture), fixture))
  if (content.success) return { name: nameOf(fixture), ...content.data }
  throw unusable(fixture, 'it is not a JSON object', 'Write { "customers": [...] } and so on.')
}

/** The name of a fixture whose file gives it none. */
const nameOf = (path: string): string => basename(path, extname(path))

async function bytesOf(path: string): Promise<Buffer> {
  try {
    const bytes = await readFile(path)
    if (bytes.length > MAX_BYTES) throw unusable(path, 'it is larger than 500 MiB', 'Leave something out.')
    return bytes
  } catch (error) {
    if (error instanceof StartError) throw error
    const fact = codeOf(error) === 'ENOENT' ? 'there is no such file' : readingFact(error)
    throw unusable(path, fact, 'Check the path, or give the name of a builtin fixture.')
  }
}

function parsed(bytes: Buffer, path: string): unknown {
  try {
    return jsonOf(bytes)
  } catch (error) {
    if (error instanceof WrongContent) throw unusable(path, error.message, 'Correct it there.')
    throw error
  }
}

function unusable(path: string, fact: string, remedy: string): StartError {
  return new StartError('unusable_fixture', `Cannot use fixture ${path}: ${fact}. ${remedy}`)
}
