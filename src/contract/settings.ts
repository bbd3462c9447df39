import * as z from 'zod'

import type { Choice } from './choice.ts'
import { type ChoiceName, choices, type Settings } from './choices.ts'
import { invalidRequest } from './errors.ts'
import { asSentence, bodyErrors, type KnownKeys } from './issues.ts'
import { didYouMean } from './nearest.ts'

/** The names of the assumptions that can be set. Order: as the ledger's. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
export const choiceNames = Object.keys(choices) as ChoiceName[]

/** Some assumptions, set. */
export type PartialSettings = { readonly [N in ChoiceName]?: Settings[N] | undefined }

const byName: Readonly<Record<ChoiceName, Choice>> = choices

/** Every assumption as the sandbox decides it where nobody says otherwise. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one value of each choice's own
export const defaultSettings = Object.fromEntries(
  choiceNames.map((name) => [name, byName[name].alternatives[0].value]),
) as Settings

/** Some assumptions as they are set in a config file or a control call. Errors: one issue for each wrong one. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made of each choice's own schema
export const PartialSettings = z.strictObject(
  Object.fromEntries(choiceNames.map((name) => [name, byName[name].schema.optional()])),
) as unknown as z.ZodObject & z.ZodType<PartialSettings>

/** Assumptions as they may be set. Errors: invalid_request that names each wrong one, with the nearest name. */
export function parsedSettings(input: unknown, place: readonly string[] = []): PartialSettings {
  const parsed = PartialSettings.safeParse(input)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map((issue) => ({ ...issue, path: [...place, ...issue.path] }))
  throw invalidRequest(bodyErrors(issues, (path) => settingKeys(path.slice(place.length))))
}

/** The known keys of assumptions: their names, and what a value may hold that is an object. */
const settingKeys: KnownKeys = ([name]) => {
  const choice = choiceNames.find((known) => known === name)
  const value = choice && byName[choice].alternatives.at(-1)?.value
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.keys(value)
    : choiceNames
}

/**
 * The known keys of options that may hold assumptions under `assumptions`.
 * @param names the names of the options
 */
export function optionKeys(names: readonly string[]): KnownKeys {
  return ([first, ...rest]) => (first === 'assumptions' ? settingKeys(rest) : names)
}

/** Assumptions with others laid over them. */
export function withSettings(settings: Settings, changes: PartialSettings = {}): Settings {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return given.length === 0 ? settings : { ...settings, ...Object.fromEntries(given) }
}

/**
 * An assumption as it is set on a command line: `name=value`.
 * Errors: a message that says what is wrong, with the nearest name or the known values.
 */
export function settingFrom(
  text: string,
): { readonly name: ChoiceName; readonly value: unknown } | { readonly error: string } {
  const [, given = text, value] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  const name = choiceNames.find((known) => known === given)
  if (name === undefined) {
    return { error: `${given || 'an empty name'} is not an assumption. ${didYouMean(given, choiceNames)}` }
  }
  if (value === undefined) return { error: `${given} has no value. Write ${given}=${example(name)}.` }
  const parsed = byName[name].schema.safeParse(byName[name].read(value))
  if (parsed.success) return { name, value: parsed.data }
  return { error: asSentence(`${given} ${parsed.error.issues[0]?.message}`) }
}

function example(name: ChoiceName): string {
  return settingText(name, byName[name].alternatives.at(-1)?.value)
}

/** A value of an assumption as it is written on a command line. */
export function settingText(name: ChoiceName, value: unknown): string {
  if (Array.isArray(value)) return value.join(',')
  if (typeof value !== 'object' || value === null) return String(value)
  const all = byName[name].alternatives.at(-1)?.value
  if (Array.isArray(all)) return JSON.stringify(value)
  const names = Object.entries(value).flatMap(([id, does]) => (does === true ? [id] : []))
  if (names.length === 0) return 'none'
  return JSON.stringify(value) === JSON.stringify(all) ? 'all' : names.join(',')
}
