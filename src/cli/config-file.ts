import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import * as z from 'zod'

import { jsonOf } from '../store/json-content.ts'
import type { Layer } from './layers.ts'
import { UsageError } from './usage-error.ts'

const NAME = 'workspace-sandbox.config'

/** The config files that are found by themselves, in the current folder. */
const names = ['ts', 'js', 'mjs', 'json'].map((extension) => `${NAME}.${extension}`)

/** The config file that `init` writes. */
export const CONFIG_FILE = `${NAME}.ts`

/**
 * What the config file says: the one that was named, or the one in the current folder; nothing where there is none.
 * Errors: UsageError for one that is not there, cannot be loaded, or is one of several.
 */
export async function configLayer(named: string | undefined): Promise<Layer> {
  const file = named ?? found()
  if (file === undefined) return { values: {}, call: String }
  const path = resolve(file)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) throw unusable('read', file, 'there is no such file', 'Check --config.')
  if (stats.isDirectory()) throw unusable('read', file, 'it is a folder', 'Name a file with --config.')
  const content = await contentOf(path, file)
  const options = z.record(z.string(), z.unknown()).safeParse(content)
  if (options.success) return { values: options.data, call: (name, part = name) => `${part} in ${file}` }
  if (path.endsWith('.json')) {
    throw unusable('use', file, 'it is not a JSON object', 'Write options into it, like { "port": 4500 }.')
  }
  const isMissing = content === undefined
  const fact = isMissing ? 'it has no default export' : 'its default export is not an object'
  throw unusable('use', file, fact, 'Export the options, like export default { port: 4500 }.')
}

function found(): string | undefined {
  const [first, second] = names.filter((name) => existsSync(name))
  if (second === undefined) return first
  const fact = `${first} and ${second} are both here`
  throw new UsageError(`Cannot choose a config file: ${fact}. Remove one, or name one with --config.`)
}

async function contentOf(path: string, file: string): Promise<unknown> {
  try {
    if (path.endsWith('.json')) return jsonOf(await readFile(path))
    const module: unknown = /\.[cm]?ts$/.test(path) ? await typescript(path) : await javascript(path)
    return z.object({ default: z.unknown() }).safeParse(module).data?.default
  } catch (error) {
    throw unusable('load', file, factOf(error, path), 'Correct it there.')
  }
}

/** Loads JavaScript. Errors: a syntax error that names its line, as Node's own do not in modules. */
async function javascript(path: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    if (error instanceof SyntaxError) await typescript(path)
    throw error
  }
}

/** What is wrong with a file that cannot be loaded, and in which of its lines. */
function factOf(error: unknown, path: string): string {
  if (!(error instanceof Error)) return String(error)
  const message = (error.message.split('\n')[0] ?? '').replace(/^ParseError: /, '').trim()
  // The place of a syntax error is at the top of the stack, that of any other error in its first frame of the file.
  const place = (error.stack ?? '').split('\n').find((line) => line.includes(basename(path)))
  const [, line] = /:(\d+)(?::\d+)?\)?$/.exec(place ?? '') ?? []
  return line === undefined ? message : `line ${line}: ${message}`
}

/** Loads TypeScript, which Node 20 does not; what does it is loaded only now. */
async function typescript(path: string): Promise<unknown> {
  const { createJiti } = await import('jiti')
  return createJiti(import.meta.url, { fsCache: false, moduleCache: false }).import(path)
}

function unusable(verb: string, file: string, fact: string, remedy: string): UsageError {
  return new UsageError(`Cannot ${verb} config file ${basename(file)}: ${fact.replace(/\.$/, '')}. ${remedy}`)
}
