import * as z from 'zod'

import type { Config } from '../server/options.ts'
import { configLayer } from './config-file.ts'
import { checked, environmentLayer, flagLayer, type Layer } from './layers.ts'
import { DEFAULT_DATA } from './settings.ts'
import { UsageError } from './usage-error.ts'

/** What a command is to do, from all sources. */
export interface Resolved {
  /** Without where the data lies. */
  readonly options: Omit<Config, 'data' | 'memory'>
  /** The folder that the data lies in; undefined where nothing is kept. */
  readonly data: string | undefined
}

/** The settings of a command: flags win over the environment, which wins over the config file. Errors: UsageError. */
export async function resolved(flags: Readonly<Record<string, unknown>>): Promise<Resolved> {
  const given = [flagLayer(flags), environmentLayer(process.env)]
  const [named] = given.flatMap((layer) => configName(layer) ?? [])
  const layers = [...given.map(withoutConfig), await configLayer(named)]
  const options = layers.map((layer) => checked(layer))
  const [flag = {}, variable = {}, file = {}] = options
  const { data: _data, memory: _memory, ...rest } = { ...file, ...variable, ...flag }
  const assumptions = { ...file.assumptions, ...variable.assumptions, ...flag.assumptions }
  return { options: { ...rest, assumptions }, data: placeIn(layers, options) }
}

/** A layer without the option that no config file has. */
function withoutConfig({ values, call }: Layer): Layer {
  const { config: _, ...others } = values
  return { values: others, call }
}

/** The config file that a layer names. Errors: UsageError for an empty name. */
function configName({ values, call }: Layer): string | undefined {
  const name = z.string().optional().parse(values['config'])
  if (name === '') throw new UsageError(`Cannot use ${call('config')}: it must be the path of a file.`)
  return name
}

/** Where the data lies: the first source that says something of it decides. */
function placeIn(layers: readonly Layer[], options: readonly Config[]): string | undefined {
  for (const [index, { data, memory }] of options.entries()) {
    if (memory && data !== undefined) {
      const call = layers[index]?.call ?? String
      throw new UsageError(
        `Cannot use both ${call('memory')} and ${call('data')}: one keeps nothing, the other keeps it in a folder. Give one of them.`,
      )
    }
    if (memory) return undefined
    if (data !== undefined) return data
  }
  return DEFAULT_DATA
}
