import { Option } from 'commander'

import { MAX_INTEGER } from '../contract/fields.ts'
import { DEFAULT_PORT } from '../server/options.ts'
import { defaults } from '../store/dataset-options.ts'

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

export type CommandHelp = Partial<Record<SettingName, Partial<Pick<Setting, 'help' | 'default'>>>>

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
    default: 'workspace-sandbox.config.{ts,js,mjs,json}',
    group: 'General',
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settings

export const settingNames = Object.keys(settings).filter((name): name is SettingName => name in settings)

export type Flags = Readonly<Record<string, unknown>>

export const isSetting = (name: string): name is SettingName => Object.hasOwn(settings, name)

/** Settings that a repeated command leaves out: they do not change what the service answers, or are secret. */
const notRepeated: ReadonlySet<string> = new Set<SettingName>(['adminToken', 'json', 'quiet'])

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

export function createOption(name: SettingName, help: CommandHelp[SettingName] = {}): Option {
  const setting: Setting = { ...settings[name], ...help }
  const ending = setting.default === undefined ? '' : ` (default: ${setting.default})`
  const option = defineOption(setting.group, setting.flags, `${setting.help}${ending}`)
  if (setting.kind === 'list' || setting.kind === 'assumptions') {
    return option.argParser((text, before: readonly string[] | undefined) => [...(before ?? []), text])
  }
  return setting.kind === 'switch' ? option : option.argParser((text) => parseText(name, text))
}

export function parseText(name: SettingName, text: string): unknown {
  const { kind = 'text' }: Setting = settings[name]
  return parsers[kind](text)
}

const parsers: Readonly<Record<Kind, (text: string) => unknown>> = {
  text: (text) => text,
  number: (text) =>
    /^-?\d+(?:\.\d+)?$/.test(text) && Math.abs(Number(text)) <= MAX_INTEGER ? Number(text) : text,
  list: (text) => text.split(',').map((item) => item.trim()),
  // Not split at commas, because a value may be a list.
  assumptions: (text) => text.split(';').map((item) => item.trim()),
  switch: (text) => switches.get(text.toLowerCase()) ?? text,
}

const switches = new Map(
  Object.entries({ 1: true, true: true, yes: true, 0: false, false: false, no: false }),
)
