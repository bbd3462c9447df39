import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import * as z from 'zod'

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
  if (!existsSync(path)) throw unusable('read', file, 'there is no such file', 'Check --config.')
  const content = z.record(z.string(), z.unknown()).safeParse(await contentOf(path, file))
  if (!content.success)
    throw unusable('use', file, 'it does not give an object', 'Export the options by default.')
  return { values: content.data, call: (name) => `${name} in ${file}` }
}

function found(): string | undefined {
  const [first, second] = names.filter((name) => existsSync(name))
  if (second === undefined) return first
  const fact = `${first} and ${second} are both here`
  throw new UsageError(`Cannot choose a config file: ${fact}. Remove one, or name one with --config.`)
}

async function contentOf(path: string, file: string): Promise<unknown> {
  try {
    if (path.endsWith('.json')) return JSON.parse(await readFile(path, 'utf8'))
    const module: unknown = /\.[cm]?ts$/.test(path)
      ? await typescript(path)
      : await import(pathToFileURL(path).href)
    return z.object({ default: z.unknown() }).parse(module).default
  } catch (error) {
    const [fact] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw unusable('load', file, fact ?? '', 'Correct it there.')
  }
}

/** Loads TypeScript, which Node 20 does not; what does it is loaded only now. */
async function typescript(path: string): Promise<unknown> {
  const { createJiti } = await import('jiti')
  return createJiti(import.meta.url, { fsCache: false, moduleCache: false }).import(path)
}

function unusable(verb: string, file: string, fact: string, remedy: string): UsageError {
  return new UsageError(`Cannot ${verb} config file ${basename(file)}: ${fact.replace(/\.$/, '')}. ${remedy}`)
}
