import { type Command, Option } from 'commander'

import { MAX_INTEGER } from '../../contract/fields.ts'
import { nearest } from '../../core/nearest.ts'
import { defaults } from '../../store/dataset-options.ts'
import { DEFAULT_PORT } from '../server/options.ts'

type Kind = 'text' | 'number' | 'list' | 'assumptions' | 'switch'

interface Setting {
  readonly flags: string
  readonly help: string
  readonly default?: string
  readonly kind?: Kind
  readonly group: HelpGroup
}

type HelpGroup =
  | 'Server'
  | 'Control plane'
  | 'Data'
  | 'Storage'
  | 'Service'
  | 'Answers'
  | 'Sweep'
  | 'Output'
  | 'General'

/** How a command differs in a setting. */
interface OwnSetting extends Partial<Pick<Setting, 'help' | 'default'>> {
  readonly hasVariable?: boolean
  readonly isHidden?: boolean
}

export type CommandHelp = Partial<Record<SettingName, OwnSetting>>

export const DEFAULT_DATA = '.workspace-sandbox'

export const settings = {
  port: {
    flags: '--port <number>',
    help: 'port to listen on; 0 picks a free one',
    default: `${DEFAULT_PORT}, or the next free one`,
    kind: 'number',
    group: 'Server',
  },
  host: {
    flags: '--host <name>',
    help: 'address to listen on; non-loopback hosts require --admin-token',
    default: 'loopback',
    group: 'Server',
  },
  publicUrl: {
    flags: '--public-url <url>',
    help: 'address under which others reach the server, as behind a proxy',
    default: 'the address that it listens on',
    group: 'Server',
  },
  adminToken: {
    flags: '--admin-token <token>',
    help: 'bearer token that the control plane requires',
    group: 'Control plane',
  },
  allowHost: {
    flags: '--allow-host <name>',
    help: 'another host name that the control plane accepts; repeatable',
    kind: 'list',
    group: 'Control plane',
  },
  allowOrigin: {
    flags: '--allow-origin <origin>',
    help: 'another origin that may call the control plane; repeatable',
    kind: 'list',
    group: 'Control plane',
  },
  seed: {
    flags: '--seed <number>',
    help: 'seed of the generated data',
    default: String(defaults.seed),
    kind: 'number',
    group: 'Data',
  },
  size: {
    flags: '--size <size>',
    help: 'small, medium, large, or a number of customers',
    default: 'medium',
    kind: 'number',
    group: 'Data',
  },
  fixture: {
    flags: '--fixture <name|file>',
    help: 'hand-written records to merge into the generated ones',
    default: defaults.fixture,
    group: 'Data',
  },
  now: {
    flags: '--now <instant|system>',
    help: 'time of the frozen clock; system starts at the real time and runs',
    default: defaults.now,
    group: 'Data',
  },
  future: {
    flags: '--future <still|living>',
    help: 'whether the data changes as the clock moves; living suits --now system',
    default: 'still',
    group: 'Data',
  },
  clockRate: {
    flags: '--clock-rate <factor>',
    help: 'how much faster than the real time the clock runs; requires --now system',
    default: '1',
    kind: 'number',
    group: 'Data',
  },
  state: {
    flags: '--state <file>',
    help: 'saved state of a session to start from, which also sets the dataset',
    group: 'Data',
  },
  data: {
    flags: '--data <folder>',
    help: 'folder to store the data in',
    default: DEFAULT_DATA,
    group: 'Storage',
  },
  memory: { flags: '--memory', help: 'keep the data in memory only', kind: 'switch', group: 'Storage' },
  sessionTtl: {
    flags: '--session-ttl <minutes>',
    help: 'minutes after which an idle session expires',
    default: '30',
    kind: 'number',
    group: 'Service',
  },
  requireSession: {
    flags: '--require-session',
    help: 'reject requests to the service without a session',
    kind: 'switch',
    group: 'Service',
  },
  assume: {
    flags: '--assume <name=value>',
    help: 'override an assumption; repeatable',
    kind: 'assumptions',
    group: 'Service',
  },
  log: {
    flags: '--log',
    help: 'print a line for each request to standard error',
    kind: 'switch',
    group: 'Output',
  },
  json: {
    flags: '--json',
    help: 'print one line of JSON once the server listens',
    kind: 'switch',
    group: 'Output',
  },
  quiet: { flags: '--quiet', help: 'print nothing to standard output', kind: 'switch', group: 'Output' },
  config: {
    flags: '--config <file>',
    help: 'config file to read',
    default: 'workspace-sandbox.config.{ts,mts,cts,js,mjs,cjs,json}',
    group: 'General',
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settings

export const settingNames = Object.keys(settings).filter((name): name is SettingName => name in settings)

export type Flags = Readonly<Record<string, unknown>>

export const isSetting = (name: string): name is SettingName => Object.hasOwn(settings, name)

const PREFIX = 'WORKSPACE_SANDBOX_'

export const toVariable = (name: SettingName): string =>
  PREFIX + name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

/** Variables that `exec` sets for its command. */
export const commandVariables = {
  baseUrl: `${PREFIX}URL`,
  controlUrl: `${PREFIX}CONTROL_URL`,
  token: `${PREFIX}TOKEN`,
  organization: `${PREFIX}ORGANIZATION`,
} as const

const otherVariables: ReadonlySet<string> = new Set(Object.values(commandVariables))

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
  const names = Object.keys(process.env).filter(
    (name) => name.startsWith(PREFIX) && !otherVariables.has(name),
  )
  const links = names.filter((name) => SERVICE_LINK.test(`${name}=${process.env[name]}`))
  const unknown = names.map((name) => name.slice(PREFIX.length)).filter((name) => !known.includes(name))
  const lines = unknown.flatMap((name) => {
    if (links.includes(PREFIX + name)) return []
    const near = nearest(name, known)
    const hint = near === undefined ? '' : ` Did you mean ${PREFIX}${near}?`
    return `Ignored ${PREFIX}${name}: it is not a setting.${hint}`
  })
  if (links.length > 0)
    lines.push(`Ignored ${links.join(', ')}: Kubernetes sets them for a service of this name.`)
  return lines
}

/** Settings that a repeated command leaves out: they do not change what the service answers, or are secret. */
const notRepeated: ReadonlySet<string> = new Set<SettingName>(['adminToken', 'json', 'quiet', 'log'])

export function formatFlags(flags: Flags): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (!isSetting(name) || notRepeated.has(name)) return []
    const { flags: text, kind }: Setting = settings[name]
    const [flag = ''] = text.split(' ')
    return [value].flat().flatMap((one) => (kind === 'switch' ? [flag] : [flag, String(one)]))
  })
}

export const defineOption = (group: HelpGroup, flags: string, help: string): Option =>
  new Option(flags, help).helpGroup(`${group}:`)

/** Adds the option of a setting, which its environment variable sets too, unless the command decides without it. */
export function addSetting(
  command: Command,
  name: SettingName,
  { hasVariable = true, isHidden = false, ...help }: CommandHelp[SettingName] = {},
): void {
  const setting: Setting = { ...settings[name], ...help }
  const ending = setting.default === undefined ? '' : ` (default: ${setting.default})`
  const option = defineOption(setting.group, setting.flags, `${setting.help}${ending}`).hideHelp(isHidden)
  const parse = parsers[setting.kind ?? 'text']
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
