import { type Command, Option } from 'commander'
import type * as z from 'zod'

import { MAX_INTEGER } from '../../contract/fields.ts'
import { getOrCreate } from '../../core/maps.ts'
import { nearest } from '../../core/nearest.ts'
import { splitDescription, uncapitalize } from '../../core/words.ts'
import { Config } from '../server/options.ts'

type Kind = 'text' | 'number' | 'list' | 'assumptions' | 'switch'

/** A flag of the command. An option of the config file gives it the help and default that are left out. */
interface Setting {
  /** A switch has none. */
  readonly argument?: string
  readonly group: string
  readonly help?: string
  readonly default?: string
  /** By default, a text; without an argument, a switch. */
  readonly kind?: Kind
}

/** How a command differs in a setting. */
interface OwnSetting extends Partial<Pick<Setting, 'help' | 'default'>> {
  readonly hasVariable?: boolean
  readonly isHidden?: boolean
}

export type CommandHelp = Partial<Record<SettingName, OwnSetting>>

export const DEFAULT_DATA = '.workspace-sandbox'

const flags = {
  port: { argument: '<number>', group: 'Server', kind: 'number' },
  host: { argument: '<name>', group: 'Server' },
  publicUrl: { argument: '<url>', group: 'Server' },
  adminToken: { argument: '<token>', group: 'Control plane' },
  allowHost: { argument: '<name>', group: 'Control plane', kind: 'list' },
  allowOrigin: { argument: '<origin>', group: 'Control plane', kind: 'list' },
  seed: { argument: '<number>', group: 'Data', kind: 'number' },
  size: { argument: '<size>', group: 'Data', kind: 'number' },
  fixture: {
    argument: '<name|file>',
    group: 'Data',
    help: 'hand-written records to merge into the generated ones',
  },
  now: { argument: '<instant|system>', group: 'Data' },
  future: { argument: '<still|living>', group: 'Data' },
  clockRate: { argument: '<factor>', group: 'Data', kind: 'number' },
  state: {
    argument: '<file>',
    group: 'Data',
    help: 'saved state of a session to start from, which also sets the dataset',
  },
  data: { argument: '<folder>', group: 'Storage', default: DEFAULT_DATA },
  memory: { group: 'Storage' },
  sessionTtl: { argument: '<minutes>', group: 'Service', kind: 'number' },
  requireSession: { group: 'Service' },
  assume: {
    argument: '<name=value>',
    group: 'Service',
    help: 'override an assumption; repeatable',
    kind: 'assumptions',
  },
  log: { group: 'Output' },
  json: { group: 'Output' },
  quiet: { group: 'Output' },
  config: {
    argument: '<file>',
    group: 'General',
    help: 'config file to read',
    default: 'workspace-sandbox.config.{ts,js,json,…}',
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof flags

/** A heading of the help; the last two are those of options that are no settings. */
type HelpGroup = (typeof flags)[SettingName]['group'] | 'Sync' | 'Answers'

export const settingNames = Object.keys(flags).filter((name): name is SettingName => name in flags)

export type Flags = Readonly<Record<string, unknown>>

export const isSetting = (name: string): name is SettingName => Object.hasOwn(flags, name)

export const toFlag = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

interface CompleteSetting extends Setting {
  readonly flags: string
  readonly help: string
  readonly kind: Kind
}

const described = new Map<SettingName, CompleteSetting>()

/** Describes a setting, by the description of its option. */
export const describeSetting = (name: SettingName): CompleteSetting => getOrCreate(described, name, complete)

function complete(name: SettingName): CompleteSetting {
  const setting: Setting = flags[name]
  const kind = setting.kind ?? (setting.argument === undefined ? 'switch' : 'text')
  const options: Readonly<Record<string, z.ZodType>> = Config.shape
  const { meaning, byDefault = 'none' } = splitDescription(options[name]?.description ?? '')
  const words = meaning
    .replace(/\.$/, '')
    .replaceAll(/`(\w+)`/g, (_, word: string) => (isSetting(word) ? toFlag(word) : word))
  // The help names a thing without its article, and says what to do: `Keeps …` becomes `keep …`.
  const text = words.startsWith('The ') ? words.slice('The '.length) : uncapitalize(words)
  return {
    help: `${kind === 'switch' ? text.replace(/^(\w+)s /, '$1 ') : text}${kind === 'list' ? '; repeatable' : ''}`,
    ...(!['none', 'false'].includes(byDefault) && { default: byDefault.replaceAll('`', '') }),
    ...setting,
    kind,
    flags: [toFlag(name), setting.argument ?? []].flat().join(' '),
  }
}

const PREFIX = 'WORKSPACE_SANDBOX_'

export const toVariable = (name: string): string =>
  PREFIX + name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

/** Variables that `exec` sets for its command. */
export const commandVariables = {
  baseUrl: `${PREFIX}URL`,
  controlUrl: `${PREFIX}CONTROL_URL`,
  token: `${PREFIX}TOKEN`,
  organization: `${PREFIX}ORGANIZATION`,
} as const

/** This machine, as different programs write it. */
const LOOPBACK = ['localhost', '127.0.0.1', '::1', '[::1]']

/** Returns the variables that keep calls of this machine, and of a host, away from the proxy of the environment. */
export function bypassProxy(host: string): Record<'NO_PROXY' | 'no_proxy', string> {
  const { NO_PROXY: upper, no_proxy: lower } = process.env
  const append = (before = ''): string => {
    const names = before.split(/[\s,]+/).filter(Boolean)
    return names.includes('*') ? before : [...new Set([...names, ...LOOPBACK, host])].join(',')
  }
  return { NO_PROXY: append(upper ?? lower), no_proxy: append(lower ?? upper) }
}

/** Variables that Kubernetes sets for a service of the name `workspace-sandbox`. */
const SERVICE_LINK = /_SERVICE_(?:HOST|PORT)|_PORT_\d+_|=(?:tcp|udp|sctp):\/\//

/** Reads the variable of a setting; undefined if it is empty, or not meant for the sandbox. */
export function readVariable(name: SettingName): string | undefined {
  const text = process.env[toVariable(name)]
  return text && !SERVICE_LINK.test(`=${text}`) ? text : undefined
}

/** Describes the variables that look like settings and are none. */
export function describeIgnoredVariables(): string[] {
  const known = settingNames.map((name) => toVariable(name).slice(PREFIX.length))
  const others: readonly string[] = Object.values(commandVariables)
  const names = Object.keys(process.env).filter((name) => name.startsWith(PREFIX) && !others.includes(name))
  const links = names.filter((name) => SERVICE_LINK.test(`${name}=${process.env[name]}`))
  const unknown = names.map((name) => name.slice(PREFIX.length)).filter((name) => !known.includes(name))
  const lines = unknown.flatMap((name) => {
    if (links.includes(PREFIX + name)) return []
    const near = nearest(name, known)
    const hint = near === undefined ? '' : ` Did you mean ${PREFIX}${near}?`
    return `Ignored ${PREFIX}${name}: it is not a setting.${hint}`
  })
  if (links.length > 0)
    lines.push(`Ignored ${links.join(', ')}: Kubernetes sets such variables for a service of this name.`)
  return lines
}

/** Settings that a repeated command leaves out: they do not change what the service answers, or are secret. */
const notRepeated: ReadonlySet<string> = new Set<SettingName>(['adminToken', 'json', 'quiet', 'log'])

export function formatFlags(given: Flags): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    if (!isSetting(name) || notRepeated.has(name)) return []
    const flag = toFlag(name)
    return [value].flat().flatMap((one) => (one === true ? [flag] : [flag, String(one)]))
  })
}

export const defineOption = (group: HelpGroup, usage: string, help: string): Option =>
  new Option(usage, help).helpGroup(`${group}:`)

/** Adds the option of a setting, which its environment variable sets too, unless the command decides without it. */
export function addSetting(
  command: Command,
  name: SettingName,
  { hasVariable = true, isHidden = false, ...help }: CommandHelp[SettingName] = {},
): void {
  const setting = { ...describeSetting(name), ...help }
  const ending = setting.default === undefined ? '' : ` (default: ${setting.default})`
  const option = defineOption(flags[name].group, setting.flags, `${setting.help}${ending}`).hideHelp(isHidden)
  const parse = parsers[setting.kind]
  if (parse) option.argParser<unknown>(parse)
  const text = hasVariable ? readVariable(name) : undefined
  // Assumptions of variable and flags are merged.
  if (text !== undefined && name !== 'assume') option.env(toVariable(name))
  command.addOption(option)
  if (setting.kind === 'switch' && text !== undefined) {
    // Commander takes any text for true.
    const value = switches.get(text.toLowerCase()) ?? text
    command.on(`optionEnv:${option.name()}`, () => command.setOptionValueWithSource(name, value, 'env'))
  }
}

type Parse = (text: string, before: unknown) => unknown

const parsers: Readonly<Record<Kind, Parse | undefined>> = {
  text: undefined,
  number: (text) =>
    /^-?\d+(?:\.\d+)?$/.test(text) && Math.abs(Number(text)) <= MAX_INTEGER ? Number(text) : text,
  list: (text, before) => [...[before ?? []].flat(), ...text.split(',').map((item) => item.trim())],
  assumptions: (text, before) => [...[before ?? []].flat(), ...splitAssumptions(text)],
  switch: undefined,
}

/** Splits at semicolons, because the value of an assumption may be a list. */
export const splitAssumptions = (text: string): readonly string[] =>
  text.split(';').map((item) => item.trim())

const switches = new Map(
  Object.entries({ 1: true, true: true, yes: true, 0: false, false: false, no: false }),
)
