import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'

import * as z from 'zod'

import type { DatasetOptions } from '../options.ts'
import { codeOf, readingFact } from '../store/disk.ts'
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

type Fixture = NonNullable<DatasetOptions['fixture']>

async function loaded(fixture: Fixture): Promise<Fixture> {
  if (typeof fixture !== 'string' || !isPath(fixture)) return fixture
  const content = z.record(z.string(), z.unknown()).safeParse(parsed(await textOf(fixture), fixture))
  if (content.success) return { name: basename(fixture, extname(fixture)), ...content.data }
  throw unusable(fixture, 'it is not a JSON object', 'Give one with records by table.')
}

async function textOf(path: string): Promise<string> {
  try {
    const bytes = await readFile(path)
    if (bytes.length > MAX_BYTES) throw unusable(path, 'it is larger than 500 MiB', 'Leave something out.')
    return bytes.toString('utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    if (error instanceof StartError) throw error
    const fact = codeOf(error) === 'ENOENT' ? 'there is no such file' : readingFact(error)
    throw unusable(path, fact, 'Check the path, or give the name of a builtin fixture.')
  }
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw unusable(
      path,
      `it is not JSON (${error instanceof Error ? error.message : ''})`,
      'Correct it there.',
    )
  }
}

function unusable(path: string, fact: string, remedy: string): StartError {
  return new StartError('unusable_fixture', `Cannot use fixture ${path}: ${fact}. ${remedy}`)
}
