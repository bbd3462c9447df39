import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'

import * as z from 'zod'

import { isFixturePath } from '../contract/fields.ts'
import { parseJson } from '../disk/parse-json.ts'
import { describeReadError, InvalidContent } from '../disk/storage-errors.ts'
import type { DatasetOptions } from '../store/dataset-options.ts'
import { StartError } from './options.ts'

/** The largest fixture file that fits into a string. Units: bytes. */
const MAX_BYTES = 500 * 1_048_576

/** Picks the dataset's options, with the content of a fixture file. @throws StartError that names the file */
export async function loadFixture({
  seed,
  size,
  fixture,
  now,
  future,
}: DatasetOptions): Promise<DatasetOptions> {
  return {
    ...(seed !== undefined && { seed }),
    ...(size !== undefined && { size }),
    ...(fixture !== undefined && {
      fixture: typeof fixture === 'string' && isFixturePath(fixture) ? await readFixture(fixture) : fixture,
    }),
    ...(now !== undefined && { now }),
    ...(future !== undefined && { future }),
  }
}

/**
 * Runs a function whose errors may be about a fixture file, and makes them name the file.
 * @param fixture the option as it was given
 * @param dataset the options after `loadFixture`
 */
export async function nameFixtureFile<T>(
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

async function readFixture(path: string): Promise<Record<string, unknown>> {
  const content = z.record(z.string(), z.unknown()).safeParse(parseFixture(await readBytes(path), path))
  // A fixture without a name is named after its file.
  if (content.success) {
    // The schema is for editors, so it must not make another dataset.
    const { $schema: _, ...fixture } = content.data
    return { name: basename(path, extname(path)), ...fixture }
  }
  throw unusable(path, 'it is not a JSON object', 'Write { "customers": [...] } and so on.')
}

async function readBytes(path: string): Promise<Buffer> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw unusable(path, describeReadError(error), 'Check the path, or use the name of a built-in fixture.')
  })
  if (bytes.length > MAX_BYTES) throw unusable(path, 'it is larger than 500 MiB', 'Remove some records.')
  return bytes
}

function parseFixture(bytes: Buffer, path: string): unknown {
  try {
    return parseJson(bytes)
  } catch (error) {
    if (error instanceof InvalidContent) throw unusable(path, error.message, 'Correct the file.')
    throw error
  }
}

function unusable(path: string, fact: string, remedy: string): StartError {
  return new StartError('unusable_fixture', `Cannot use fixture ${path}: ${fact}. ${remedy}`)
}
