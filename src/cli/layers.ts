import { bodyErrors } from '../contract/issues.ts'
import { didYouMean } from '../contract/nearest.ts'
import { choiceNames, settingFrom } from '../contract/settings.ts'
import { Config, configOptions } from '../server/options.ts'
import { isSetting, settingNames, type SettingName, settings, valueOf } from './settings.ts'
import { UsageError } from './usage-error.ts'

/** Settings from one source. */
export interface Layer {
  readonly values: Readonly<Record<string, unknown>>
  /** What messages call a setting of this source. */
  readonly call: (name: string) => string
}

const PREFIX = 'WORKSPACE_SANDBOX_'

/** Variables that a command run by the sandbox finds in its environment. */
const handedOn = new Set(['URL', 'TOKEN', 'ORGANIZATION'].map((name) => PREFIX + name))

const variables = new Map(settingNames.map((name) => [variableOf(name), name]))

/** The environment variable of a setting. */
function variableOf(name: SettingName): string {
  return PREFIX + name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
}

/** What the flags say. */
export function flagLayer(values: Readonly<Record<string, unknown>>): Layer {
  return {
    values,
    call: (name) => {
      const [flag = name] = isSetting(name) ? settings[name].flags.split(' ') : []
      const value = values[name]
      return value === true ? flag : `${flag} ${String(value)}`
    },
  }
}

/** What the environment says; an empty variable says nothing. Errors: UsageError for a variable that nobody reads. */
export function environmentLayer(environment: Readonly<Record<string, string | undefined>>): Layer {
  const values: Record<string, unknown> = {}
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith(PREFIX) || handedOn.has(variable)) continue
    const name = variables.get(variable)
    if (name === undefined) {
      const hint = didYouMean(variable, [...variables.keys()])
      throw new UsageError(`Cannot use ${variable}: there is no such setting. ${hint}`)
    }
    if (text) values[name] = valueOf(name, text)
  }
  const call = (name: string) => {
    const variable = isSetting(name) ? variableOf(name) : name
    return `${variable}=${environment[variable]}`
  }
  return { values, call }
}

/** The options that a layer gives. Errors: UsageError that names the first wrong one as its source spells it. */
export function checked({ values, call }: Layer): Config {
  const { config: _, assume, ...options } = values
  const parsed = Config.safeParse(
    assume === undefined ? options : { ...options, assumptions: assumed(assume) },
  )
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0) {
    const [name = ''] = issue.keys
    const hint = didYouMean(name, Object.keys(configOptions))
    throw new UsageError(`Cannot use ${call(name)}: there is no such option. ${hint}`)
  }
  const name = String(issue?.path[0])
  const [first] = issue ? bodyErrors([issue], choiceNames) : []
  throw new UsageError(`Cannot use ${call(name)}: ${placeIn(first?.name ?? '', name)} ${first?.message}.`)
}

/** What flags or the environment say of assumptions. Errors: UsageError. */
function assumed(texts: unknown): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const text of Array.isArray(texts) ? texts.map(String) : []) {
    const setting = settingFrom(text)
    if ('error' in setting) throw new UsageError(`Cannot use --assume ${text}: ${setting.error}`)
    values[setting.name] = setting.value
  }
  return values
}

/** What in a setting is wrong: it, or a part of it. */
const placeIn = (path: string, name: string): string =>
  path === name ? 'it' : path.slice(name.length).replace(/^\./, '')
