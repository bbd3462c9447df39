import type * as z from 'zod'

import type { Readable } from '../core/input.ts'
import { lazyStrictObject } from '../core/lazy-schema.ts'
import { asSentence } from '../core/words.ts'
import { assumptions } from './assumptions.ts'
import { type ChoiceName, choiceNames, choices, type Settings } from './choices.ts'

type SettingInputs = { [N in ChoiceName]?: z.input<(typeof choices)[N]['schema']> | undefined }

/** Overrides of some assumptions. */
export interface PartialSettings extends Readable<SettingInputs> {}

const forEachChoice = <V>(make: (name: ChoiceName) => V): Readonly<Record<string, V>> =>
  Object.fromEntries(choiceNames.map((name) => [name, make(name)]))

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a value of each choice
export const defaultSettings = forEachChoice(
  (name) => choices[name].alternatives[0]?.value,
) as unknown as Settings

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of each choice
export const PartialSettings = lazyStrictObject(() =>
  forEachChoice((name) => choices[name].schema.optional().describe(describeChoice(name))),
) as unknown as z.ZodType<PartialSettings, PartialSettings>

function describeChoice(name: ChoiceName): string {
  const { assumption, alternatives, write } = choices[name]
  const { subject, decision } = assumptions[assumption]
  const toText = (value: unknown) => `\`${Array.isArray(value) ? JSON.stringify(value) : write(value)}\``
  const values = alternatives.map(({ value, meaning }) =>
    write(value) === meaning.replaceAll(', ', ',') ? toText(value) : `${toText(value)} (${meaning})`,
  )
  const byDefault = `${decision.replace(/\.$/, '')} (${assumption})`
  return `${asSentence(subject)} One of ${values.join(', ')}. Default: ${byDefault}. Example: ${toText(alternatives.at(-1)?.value)}.`
}

export function withSettings(settings: Settings, overrides: PartialSettings = {}): Settings {
  const overridden = Object.entries(overrides).filter(([, value]) => value !== undefined)
  return overridden.length === 0 ? settings : { ...settings, ...Object.fromEntries(overridden) }
}

export const listDifferences = (one: Settings, other: Settings): ChoiceName[] =>
  choiceNames.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]))
