import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import * as z from 'zod'

import { parseJson } from '../disk/parse-json.ts'
import { type CommandError, usageError } from './failure.ts'

export const CONFIG_NAME = 'workspace-sandbox.config'

const names = ['ts', 'js', 'mjs', 'json'].map((extension) => `${CONFIG_NAME}.${extension}`)

export interface ConfigFile {
  readonly name: string
  readonly values: Readonly<Record<string, unknown>>
}

/**
 * Loads the given config file, or the one in the current folder; the values are empty if there is no such file.
 * @throws CommandError if the file cannot be loaded, or the folder has several
 */
export async function loadConfigFile(given: string | undefined): Promise<ConfigFile> {
  const name = given ?? findConfigFile()
  if (name === undefined) return { name: '', values: {} }
  const path = resolve(name)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) throw createFileError('read', name, 'there is no such file', 'Check --config.')
  if (stats.isDirectory()) throw createFileError('read', name, 'it is a folder', 'Name a file with --config.')
  const content = await loadContent(path, name)
  const values = z.record(z.string(), z.unknown()).safeParse(content)
  if (values.success) {
    // The schema is for editors.
    const { $schema: _, ...options } = values.data
    return { name, values: options }
  }
  if (path.endsWith('.json')) {
    throw createFileError(
      'use',
      name,
      'it is not a JSON object',
      'Write options into it, like { "port": 4500 }.',
    )
  }
  const fact = content === undefined ? 'it has no default export' : 'its default export is not an object'
  throw createFileError('use', name, fact, 'Export the options, like export default { port: 4500 }.')
}

function findConfigFile(): string | undefined {
  const [first, second] = names.filter((name) => existsSync(name))
  if (second === undefined) return first
  const fact = `${first} and ${second} both exist`
  throw usageError(`Cannot choose a config file: ${fact}. Remove one, or name one with --config.`)
}

async function loadContent(path: string, name: string): Promise<unknown> {
  try {
    if (path.endsWith('.json')) return parseJson(await readFile(path))
    const module: unknown = /\.[cm]?ts$/.test(path)
      ? await importTypeScript(path)
      : await importJavaScript(path)
    return z.object({ default: z.unknown() }).safeParse(module).data?.default
  } catch (error) {
    throw createFileError('load', name, describeError(error, path), 'Correct the file.')
  }
}

/** Imports JavaScript. Syntax errors name their line, which Node's own errors do not. */
async function importJavaScript(path: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    if (error instanceof SyntaxError) await importTypeScript(path)
    throw error
  }
}

/** Imports TypeScript, which Node 20 does not support; the loader itself is imported on first use. */
async function importTypeScript(path: string): Promise<unknown> {
  const { createJiti } = await import('jiti')
  // Without jiti's own interoperation, which fails on `export default null`.
  const options = { fsCache: false, moduleCache: false, interopDefault: false }
  const module: unknown = await createJiti(import.meta.url, options).import(path)
  const isEsModule = typeof module === 'object' && module !== null && '__esModule' in module
  return isEsModule ? module : { default: module }
}

function describeError(error: unknown, path: string): string {
  if (!(error instanceof Error)) return String(error)
  const message = (error.message.split('\n')[0] ?? '').replace(/^ParseError: /, '').trim()
  // A syntax error has its line at the top of the stack, any other error in its first frame of the file.
  const frame = (error.stack ?? '').split('\n').find((one) => one.includes(basename(path)))
  const [, line] = /:(\d+)(?::\d+)?\)?$/.exec(frame ?? '') ?? []
  return line === undefined ? message : `line ${line}: ${message}`
}

function createFileError(verb: string, file: string, fact: string, remedy: string): CommandError {
  return usageError(`Cannot ${verb} config file ${basename(file)}: ${fact.replace(/\.$/, '')}. ${remedy}`)
}
