import { Option } from 'commander'

import { MAX_INTEGER } from '../contract/fields.ts'
import { defaults } from '../options.ts'
import { DEFAULT_PORT } from '../server/options.ts'

/** How a setting is read from text. */
type Kind = 'text' | 'number' | 'list' | 'assumptions' | 'switch'

interface Setting {
  readonly flags: string
  readonly help: string
  /** What holds where it is not given. */
  readonly default?: string
  readonly kind: Kind
}

/** The help of a setting in one command. */
export type OwnHelp = Partial<Pick<Setting, 'help' | 'default'>>

/** Where data is kept that nothing else is said of. */
export const DEFAULT_DATA = '.workspace-sandbox'

/** Every setting: its flag; its variable and its key in the config file are named after it. */
export const settings = {
  port: {
    flags: '--port <number>',
    help: 'port to listen on; 0 picks a free one',
    default: `${DEFAULT_PORT}, or the next free one`,
    kind: 'number',
  },
  host: {
    flags: '--host <name>',
    help: 'address to listen on; non-loopback ones require --admin-token',
    default: 'loopback',
    kind: 'text',
  },
  adminToken: {
    flags: '--admin-token <token>',
    help: 'bearer token that the control plane requires',
    kind: 'text',
  },
  allowHost: {
    flags: '--allow-host <name>',
    help: 'another host name that the control plane answers to; repeatable',
    kind: 'list',
  },
  allowOrigin: {
    flags: '--allow-origin <origin>',
    help: 'another origin whose pages may use the control plane; repeatable',
    kind: 'list',
  },
  seed: {
    flags: '--seed <number>',
    help: 'what the data is generated from',
    default: String(defaults.seed),
    kind: 'number',
  },
  size: {
    flags: '--size <size>',
    help: 'small, medium, large, or a number of customers',
    default: 'medium',
    kind: 'number',
  },
  fixture: {
    flags: '--fixture <name|file>',
    help: 'records laid over the generated ones',
    default: defaults.fixture,
    kind: 'text',
  },
  now: {
    flags: '--now <instant|system>',
    help: 'the time at which the clock stands; system lets it run',
    default: defaults.now,
    kind: 'text',
  },
  data: { flags: '--data <folder>', help: 'where the data is kept', default: DEFAULT_DATA, kind: 'text' },
  memory: { flags: '--memory', help: 'keep nothing', kind: 'switch' },
  sessionTtl: {
    flags: '--session-ttl <minutes>',
    help: 'how long an idle session lives',
    default: '30',
    kind: 'number',
  },
  requireSession: {
    flags: '--require-session',
    help: 'refuse requests to the service that name no session',
    kind: 'switch',
  },
  assume: {
    flags: '--assume <name=value>',
    help: 'override an assumption; repeatable',
    kind: 'assumptions',
  },
  config: {
    flags: '--config <file>',
    help: 'the config file',
    default: 'workspace-sandbox.config.{ts,js,mjs,json}',
    kind: 'text',
  },
  json: { flags: '--json', help: 'print one line of JSON once it listens', kind: 'switch' },
  quiet: { flags: '--quiet', help: 'print nothing', kind: 'switch' },
} as const satisfies Record<string, Setting>

/** The name of a setting, as the config file spells it. */
export type SettingName = keyof typeof settings

/** The names of all settings. */
export const settingNames = Object.keys(settings).filter((name): name is SettingName => name in settings)

/** Says whether a word names a setting. */
export function isSetting(name: string): name is SettingName {
  return Object.hasOwn(settings, name)
}

/**
 * The flag of a setting, for a command. Its value is read, but not yet checked.
 * @param own help and default, if the command has its own
 */
export function optionOf(name: SettingName, own: OwnHelp = {}): Option {
  const setting: Setting = { ...settings[name], ...own }
  const ending = setting.default === undefined ? '' : ` (default: ${setting.default})`
  const option = new Option(setting.flags, `${setting.help}${ending}`)
  if (setting.kind === 'list' || setting.kind === 'assumptions') {
    return option.argParser((text, before: readonly string[] | undefined) => [...(before ?? []), text])
  }
  return setting.kind === 'switch' ? option : option.argParser((text) => valueOf(name, text))
}

/** What a text says for a setting; where it says nothing that the setting could be, the text itself. */
export function valueOf(name: SettingName, text: string): unknown {
  return readings[settings[name].kind](text)
}

const readings: Readonly<Record<Kind, (text: string) => unknown>> = {
  text: (text) => text,
  number: (text) =>
    /^-?\d+(?:\.\d+)?$/.test(text) && Math.abs(Number(text)) <= MAX_INTEGER ? Number(text) : text,
  list: (text) => text.split(',').map((item) => item.trim()),
  // A value may be a list of its own.
  assumptions: (text) => text.split(';').map((item) => item.trim()),
  switch: (text) => switches.get(text.toLowerCase()) ?? text,
}

const switches = new Map([
  ['1', true],
  ['true', true],
  ['yes', true],
  ['0', false],
  ['false', false],
  ['no', false],
])
