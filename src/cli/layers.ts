import { asSentence, bodyErrors } from '../contract/issues.ts'
import { didYouMean } from '../contract/nearest.ts'
import { optionKeys, settingFrom } from '../contract/settings.ts'
import { Config, configOptions } from '../server/options.ts'
import { isSetting, settingNames, type SettingName, settings, valueOf } from './settings.ts'
import { UsageError } from './usage-error.ts'

/** Settings from one source. */
export interface Layer {
  readonly values: Readonly<Record<string, unknown>>
  /**
   * What messages call a setting of this source, or a part of it.
   * @param path the path of the part, like `allowHost[1]`
   */
  readonly call: (name: string, path?: string) => string
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
    call: (name, path) => {
      const [flag = name] = isSetting(name) ? settings[name].flags.split(' ') : []
      const value = values[name]
      if (value === true) return flag
      const index = itemOf(name, path)
      return `${flag} ${shown(Array.isArray(value) && index !== undefined ? value[index] : value)}`
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
  const call = (name: string, path?: string) => {
    const variable = isSetting(name) ? variableOf(name) : name
    const index = itemOf(name, path)
    const item = index === undefined ? '' : `item ${index + 1} of `
    return `${item}${variable}=${environment[variable]}`
  }
  return { values, call }
}

/** The position of the item of a list that a path names. */
function itemOf(name: string, path: string | undefined): number | undefined {
  const [, index] = /^\[(\d+)\]/.exec(path?.slice(name.length) ?? '') ?? []
  return index === undefined ? undefined : Number(index)
}

/** A value as it is written in a shell, so that an empty one is seen. */
const shown = (value: unknown): string => (value === '' ? "''" : String(value))

/** The options that a layer gives. Errors: UsageError that names the first wrong one as its source spells it. */
export function checked({ values, call }: Layer): Config {
  const { assume, ...options } = values
  const parsed = Config.safeParse(
    assume === undefined ? options : { ...options, assumptions: assumed(assume, call) },
  )
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0) {
    const [name = ''] = issue.keys
    const hint = didYouMean(name, Object.keys(configOptions))
    throw new UsageError(`Cannot use ${call(name)}: there is no such option. ${hint}`)
  }
  const name = String(issue?.path[0])
  const [first] = issue ? bodyErrors([issue], optionKeys(Object.keys(configOptions))) : []
  throw new UsageError(asSentence(`Cannot use ${call(name, first?.name)}: it ${first?.message}`))
}

/** What flags or the environment say of assumptions. Errors: UsageError. */
function assumed(texts: unknown, call: Layer['call']): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [index, text] of (Array.isArray(texts) ? texts.map(String) : []).entries()) {
    const setting = settingFrom(text)
    if ('error' in setting) {
      throw new UsageError(`Cannot use ${call('assume', `assume[${index}]`)}: ${setting.error}`)
    }
    values[setting.name] = setting.value
  }
  return values
}
