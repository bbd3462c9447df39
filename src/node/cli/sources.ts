import { readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { Command } from 'commander'
import * as z from 'zod'

import { choiceNames, choices } from '../../contract/choices.ts'
import { parsedOnce, validationErrors } from '../../core/issues.ts'
import { parseWrittenJson } from '../../core/json-text.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { didYouMean } from '../../core/nearest.ts'
import { asSentence } from '../../core/words.ts'
import { Config } from '../server/options.ts'
import { usageError, type CommandError } from './failure.ts'
import { warn } from './output.ts'
import {
  DEFAULT_DATA,
  describeIgnoredVariables,
  type Flags,
  isSetting,
  readVariable,
  splitAssumptions,
  toFlag,
  toVariable,
} from './settings.ts'

export interface ResolvedSettings {
  readonly options: Omit<Config, 'data' | 'memory'>
  readonly data: string | undefined
}

/** The settings of a command, each from its strongest source: flags, then variables, then the config file. */
interface Given {
  readonly options: Flags
  /** Ranks the source of an option: 0 is the strongest. */
  readonly rank: (name: string) => number
  /** Describes an option, or a part of it, as its source spells it. @param path the path of the part, like `allowHost[1]` */
  readonly describe: (name: string, path?: string) => string
}

/**
 * Resolves the settings of a command: flags override variables, which override the config file.
 * @param defaults values that count as flags, unless the flag is given
 * @throws CommandError that names the source of an invalid value
 */
export async function resolveSettings(command: Command, defaults: Flags = {}): Promise<ResolvedSettings> {
  for (const line of describeIgnoredVariables()) warn(line)
  const all = Object.entries({ ...defaults, ...command.opts() }).filter(([name]) => isSetting(name))
  const { assume, config, ...flags }: Flags = Object.fromEntries(all)
  const isVariable = (name: string) => command.getOptionValueSource(name) === 'env'
  if (config === '') {
    const given = describeFlag('config', config, isVariable('config'))
    throw usageError(`Cannot use ${given}: it must be the path of a file.`)
  }
  const file = await loadConfigFile(typeof config === 'string' ? config : undefined)
  const { assumptions: fromFile = {} } = file.values
  const assumptions = isObject(fromFile) && {
    ...fromFile,
    ...parseAssumptions([readVariable('assume') ?? []].flat().flatMap(splitAssumptions), true),
    ...parseAssumptions([assume ?? []].flat().map(String), false),
  }
  const isFlag = (name: string) => Object.hasOwn(flags, name)
  const given: Given = {
    options: { ...file.values, ...flags, assumptions },
    rank: (name) => {
      if (!isFlag(name)) return 2
      return isVariable(name) ? 1 : 0
    },
    describe: (name, path = name) =>
      isFlag(name) ? describeFlag(name, flags[name], isVariable(name), path) : `${path} in ${file.name}`,
  }
  const { data, memory = false, ...options } = parseConfig(given)
  return { options, data: resolveData(data, memory, given) }
}

function describeFlag(name: string, value: unknown, isVariable: boolean, path = ''): string {
  const place = isVariable ? toVariable(name) : toFlag(name)
  // An error must not print a secret.
  if (name === 'adminToken') return place
  const [, index] = /^\[(\d+)\]/.exec(path.slice(name.length)) ?? []
  if (isVariable) {
    return `${index === undefined ? '' : `item ${Number(index) + 1} of `}${place}=${process.env[place]}`
  }
  const part = Array.isArray(value) && index !== undefined ? value[Number(index)] : value
  return part === true ? place : `${place} ${part === '' ? "''" : String(part)}`
}

function parseAssumptions(texts: readonly string[], isVariable: boolean): Record<string, unknown> {
  return Object.fromEntries(
    texts.map((text, index) => {
      const [, name = text, value] = /^([^=]*)=(.*)$/s.exec(text) ?? []
      const known = choiceNames.find((one) => one === name)
      const refuse = (fact: string) =>
        usageError(`Cannot use ${describeFlag('assume', texts, isVariable, `assume[${index}]`)}: ${fact}`)
      if (known === undefined) {
        throw refuse(`${name || 'an empty name'} is not an assumption. ${didYouMean(name, choiceNames)}`)
      }
      const { alternatives, read, schema, write } = choices[known]
      if (value === undefined) {
        throw refuse(`${name} has no value. Write ${name}=${write(alternatives.at(-1)?.value)}.`)
      }
      const { data, error } = schema.safeParse(read(value))
      if (error) throw refuse(asSentence(`${name} ${error.issues[0]?.message}`))
      return [name, data]
    }),
  )
}

function parseConfig({ options, describe }: Given): Config {
  const parsed = Config.safeParse(options, parsedOnce)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const [first] = issue ? validationErrors('body', Config, [issue]) : []
  const [unknown] = issue?.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : []
  const fact =
    unknown === undefined
      ? `it ${first?.message}`
      : `there is no such option. ${didYouMean(unknown, Object.keys(Config.shape))}`
  const place = unknown === undefined ? describe(String(issue?.path[0]), first?.name) : describe(unknown)
  throw usageError(asSentence(`Cannot use ${place}: ${fact}`))
}

/** Resolves where the data is stored: in the stronger of `memory` and `data`, or else in the default folder. */
function resolveData(
  data: string | undefined,
  memory: boolean,
  { rank, describe }: Given,
): string | undefined {
  if (!memory) return data ?? DEFAULT_DATA
  if (data === undefined || rank('memory') < rank('data')) return undefined
  if (rank('data') < rank('memory')) return data
  const both = `${describe('memory')} and ${describe('data')}`
  const fact = 'the one stores nothing, the other names a folder'
  throw usageError(`Cannot use both ${both}: ${fact}. Remove one of them.`)
}

export const CONFIG_NAME = 'workspace-sandbox.config'

const endings = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'json']

async function loadConfigFile(
  wanted: string | undefined,
): Promise<{ readonly name: string; readonly values: JsonObject }> {
  const name = wanted ?? findConfigFile()
  if (name === undefined) return { name: '', values: {} }
  const path = resolve(name)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) throw createFileError('read', name, 'there is no such file', 'Check --config.')
  if (!stats.isFile()) {
    const fact = stats.isDirectory() ? 'it is a folder' : 'it is not a regular file'
    throw createFileError('read', name, fact, 'Name a file with --config.')
  }
  if (!endings.includes(extname(path).slice(1))) {
    throw createFileError('use', name, 'its ending is not known', `Known are .${endings.join(', .')}.`)
  }
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

export const listConfigFiles = (): string[] =>
  readdirSync('.').filter((name) => /^workspace-sandbox\.config\.\w+$/.test(name))

/** Finds the config file by its name, whatever its ending is, so that none is passed over in silence. */
function findConfigFile(): string | undefined {
  const [first, second] = listConfigFiles().toSorted(
    (a, b) => endings.indexOf(extname(a).slice(1)) - endings.indexOf(extname(b).slice(1)),
  )
  if (second === undefined) return first
  const fact = `${first} and ${second} both exist`
  throw usageError(`Cannot choose a config file: ${fact}. Remove one, or name one with --config.`)
}

/** The word in code, not in a comment. */
const EXPORT = /^[^/*\n]*\bexports?\b/m

async function loadContent(path: string, name: string): Promise<unknown> {
  try {
    if (path.endsWith('.json')) return parseWrittenJson(await readFile(path))
    const isTypeScript = /\.[cm]?ts$/.test(path)
    const exported: unknown = await (isTypeScript ? importTypeScript(path) : importJavaScript(path))
    // CommonJS exports an empty object even if a file exports nothing.
    const isEmpty = isObject(exported) && Object.keys(exported).length === 0
    return isEmpty && !EXPORT.test(await readFile(path, 'utf8')) ? undefined : exported
  } catch (error) {
    throw createFileError('load', name, describeError(error, path), 'Correct the file.')
  }
}

/** Imports JavaScript. Syntax errors name their line, which Node's own errors do not. */
async function importJavaScript(path: string): Promise<unknown> {
  try {
    const module: unknown = await import(pathToFileURL(path).href)
    return isObject(module) ? getDefault(module['default']) : undefined
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
  return getDefault(await createJiti(import.meta.url, options).import(path))
}

/** Returns the default export of CommonJS, which marks what was compiled from an ES module. */
const getDefault = (exported: unknown): unknown =>
  isObject(exported) && '__esModule' in exported ? exported['default'] : exported

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
