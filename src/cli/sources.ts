import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import * as z from 'zod'

import { parseSetting } from '../contract/settings.ts'
import { validationErrors } from '../core/issues.ts'
import type { JsonObject } from '../core/json.ts'
import { didYouMean } from '../core/nearest.ts'
import { asSentence } from '../core/words.ts'
import { parseWrittenJson } from '../disk/parse-json.ts'
import { Config } from '../server/options.ts'
import { usageError, type CommandError } from './failure.ts'
import { DEFAULT_DATA, isSetting, parseText, settingNames, settings } from './settings.ts'
import type { Flags, SettingName } from './settings.ts'

export interface ResolvedSettings {
  readonly options: Omit<Config, 'data' | 'memory'>
  readonly data: string | undefined
}

export async function resolveSettings(flags: Flags): Promise<ResolvedSettings> {
  const inputs = [readFlags(flags), readEnvironment(process.env)]
  const [file] = inputs.flatMap((source) => readConfigName(source) ?? [])
  const { name, values } = await loadConfigFile(file)
  const sources: Source[] = [
    ...inputs.map((input) => {
      const { config: _, ...others } = input.values
      return { ...input, values: others }
    }),
    { values, describe: (setting, part = setting) => `${part} in ${name}` },
  ]
  const parsed = sources.map(parseSource)
  const [flag = {}, variable = {}, config = {}] = parsed
  const { data: _data, memory: _memory, ...options } = { ...config, ...variable, ...flag }
  const assumptions = { ...config.assumptions, ...variable.assumptions, ...flag.assumptions }
  return { options: { ...options, assumptions }, data: resolveData(sources, parsed) }
}

interface Source {
  readonly values: JsonObject
  /** Describes a setting or one of its parts as the source spells it. @param path the path of the part, like `allowHost[1]` */
  readonly describe: (name: string, path?: string) => string
}

function readFlags(values: Flags): Source {
  return {
    values,
    describe: (name, path) => {
      const [flag = name] = isSetting(name) ? settings[name].flags.split(' ') : []
      const value = values[name]
      if (value === true) return flag
      const index = readIndex(name, path)
      const part = Array.isArray(value) && index !== undefined ? value[index] : value
      return `${flag} ${part === '' ? "''" : String(part)}`
    },
  }
}

const PREFIX = 'WORKSPACE_SANDBOX_'

const ownVariables = new Set(['URL', 'TOKEN', 'ORGANIZATION'].map((name) => PREFIX + name))

const settingByVariable = new Map(settingNames.map((name) => [toVariable(name), name]))

export function toVariable(name: SettingName): string {
  return PREFIX + name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
}

function readEnvironment(environment: Readonly<Record<string, string | undefined>>): Source {
  const values: Record<string, unknown> = {}
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith(PREFIX) || ownVariables.has(variable)) continue
    const name = settingByVariable.get(variable)
    if (name === undefined) {
      const hint = didYouMean(variable, [...settingByVariable.keys()])
      throw usageError(`Cannot use ${variable}: it is not a setting. ${hint}`)
    }
    if (text) values[name] = parseText(name, text)
  }
  const describe = (name: string, path?: string): string => {
    const variable = isSetting(name) ? toVariable(name) : name
    const index = readIndex(name, path)
    const item = index === undefined ? '' : `item ${index + 1} of `
    return `${item}${variable}=${environment[variable]}`
  }
  return { values, describe }
}

function readIndex(name: string, path: string | undefined): number | undefined {
  const [, index] = /^\[(\d+)\]/.exec(path?.slice(name.length) ?? '') ?? []
  return index === undefined ? undefined : Number(index)
}

function readConfigName({ values, describe }: Source): string | undefined {
  const name = z.string().optional().parse(values['config'])
  if (name === '') throw usageError(`Cannot use ${describe('config')}: it must be the path of a file.`)
  return name
}

function parseSource({ values, describe }: Source): Config {
  const { assume, ...options } = values
  const assumptions = assume === undefined ? {} : { assumptions: parseAssumptions(assume, describe) }
  const parsed = Config.safeParse({ ...options, ...assumptions })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0) {
    const [name = ''] = issue.keys
    const hint = didYouMean(name, Object.keys(Config.shape))
    throw usageError(`Cannot use ${describe(name)}: there is no such option. ${hint}`)
  }
  const [first] = issue ? validationErrors('body', Config, [issue]) : []
  const place = describe(String(issue?.path[0]), first?.name)
  throw usageError(asSentence(`Cannot use ${place}: it ${first?.message}`))
}

function parseAssumptions(texts: unknown, describe: Source['describe']): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [index, text] of (Array.isArray(texts) ? texts.map(String) : []).entries()) {
    const setting = parseSetting(text)
    if ('error' in setting) {
      throw usageError(`Cannot use ${describe('assume', `assume[${index}]`)}: ${setting.error}`)
    }
    values[setting.name] = setting.value
  }
  return values
}

function resolveData(sources: readonly Source[], parsed: readonly Config[]): string | undefined {
  for (const [index, { data, memory }] of parsed.entries()) {
    if (memory && data !== undefined) {
      const describe = sources[index]?.describe ?? String
      const both = `${describe('memory')} and ${describe('data')}`
      const fact = 'the one stores nothing, the other names a folder'
      throw usageError(`Cannot use both ${both}: ${fact}. Remove one of them.`)
    }
    if (memory) return undefined
    if (data !== undefined) return data
  }
  return DEFAULT_DATA
}

export const CONFIG_NAME = 'workspace-sandbox.config'

const names = ['ts', 'js', 'mjs', 'json'].map((extension) => `${CONFIG_NAME}.${extension}`)

async function loadConfigFile(
  given: string | undefined,
): Promise<{ readonly name: string; readonly values: JsonObject }> {
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
    const remedy = 'Write options into it, like { "port": 4500 }.'
    throw createFileError('use', name, 'it is not a JSON object', remedy)
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
    if (path.endsWith('.json')) return parseWrittenJson(await readFile(path))
    const isTypeScript = /\.[cm]?ts$/.test(path)
    const module: unknown = await (isTypeScript ? importTypeScript(path) : importJavaScript(path))
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
