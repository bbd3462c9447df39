import * as z from 'zod'

import { type ChoiceName, choiceNames, choices } from '../../contract/choices.ts'
import { defaultSettings, PartialSettings, withSettings } from '../../contract/settings.ts'
import { customerStatuses, type SignalStatus } from '../../contract/statuses.ts'
import { parseInput } from '../../core/issues.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { groupBy } from '../../core/maps.ts'
import type { Answer } from './answers.ts'
import { compareAnswers, type Observation } from './compare.ts'

/**
 * `confirmed`: only the default fits; `decided`: only another value fits; `undecided`: several fit, or nothing was seen;
 * `otherwise`: none fits; `contradictory`: answers exclude each other.
 */
export interface SettingVerdict {
  readonly verdict: 'confirmed' | 'decided' | 'undecided' | 'otherwise' | 'contradictory'
  /** The value that fits; of other words of a status, the words. */
  readonly value?: unknown
  /** The number of answers that exclude a value. */
  readonly answers: number
}

export interface Calibration {
  /** The part for the config: the given assumptions, corrected by the answers. */
  readonly assumptions: PartialSettings
  readonly verdicts: { readonly [N in ChoiceName]?: SettingVerdict }
  /** Fields that the contract does not have, by their paths, as in `products[].owner`. */
  readonly unmodelled: readonly Readonly<Record<'operationId' | 'field' | 'type', string>>[]
  /** The given assumptions, and defaults, that the answers contradict. */
  readonly contradicted: readonly ChoiceName[]
}

/** Compares answers of a real tenant with every value of every setting, and with the given ones. */
export function calibrate(answers: readonly Answer[], given: PartialSettings = {}): Calibration {
  const settings = withSettings(defaultSettings, given)
  const observations = groupBy(compareAnswers(answers), ({ name }) => name)
  const assumptions: Partial<Record<ChoiceName, unknown>> = { ...given }
  const verdicts: Partial<Record<ChoiceName, SettingVerdict>> = {}
  const contradicted: ChoiceName[] = []
  for (const name of choiceNames) {
    const all = observations.get(name) ?? []
    const verdict = judge(name, all, settings[name])
    verdicts[name] = verdict
    if (verdict.value !== undefined) assumptions[name] = verdict.value
    if (verdict.verdict === 'confirmed') delete assumptions[name]
    if (all.some(({ fits }) => !fits(settings[name]))) contradicted.push(name)
  }
  const unmodelled = listUnmodelled(answers)
  return { assumptions: parseInput(PartialSettings, assumptions), verdicts, unmodelled, contradicted }
}

function judge(name: ChoiceName, observations: readonly Observation[], current: unknown): SettingVerdict {
  const [byDefault, ...others] = choices[name].alternatives.map(({ value }): unknown => value)
  const candidates = [
    ...new Map([byDefault, ...others, current].map((value) => [JSON.stringify(value), value])).values(),
  ]
  const telling = observations.filter(({ fits }) => !candidates.every(fits))
  const answers = new Set(telling.map(({ answer }) => answer)).size
  const [value, ...more] = candidates.filter((one) => telling.every(({ fits }) => fits(one)))
  if (answers === 0 || more.length > 0) return { verdict: 'undecided', answers }
  if (value !== undefined) return { verdict: value === byDefault ? 'confirmed' : 'decided', value, answers }
  const words = [...new Set(telling.flatMap((one) => one.words ?? []))].toSorted()
  // Of a status, only a word that is both used and rejected is a contradiction.
  const isOther = telling.every((one) => one.words !== undefined && one.fits(words))
  if (!isOther && telling.some(({ fits }) => candidates.some(fits))) {
    return { verdict: 'contradictory', answers }
  }
  return { verdict: 'otherwise', value: proposeWords(name, words, telling), answers }
}

/** A word of an enumeration: letters only, so that no name, number or address passes for one. */
const WORD = /^[A-Za-z]{1,30}(?:[ _-][A-Za-z]{1,30}){0,3}$/
const MAX_WORDS = 20

/** Returns other words of a status with meanings: probable ones for signals, and each in turn for customers. There may be more. */
function proposeWords(
  name: ChoiceName,
  words: readonly string[],
  observations: readonly Observation[],
): object | undefined {
  const areWords = words.length <= MAX_WORDS && words.every((word) => WORD.test(word))
  if (words.length === 0 || !areWords) return undefined
  if (name === 'customerStatuses') {
    return Object.fromEntries(words.map((word, at) => [word, customerStatuses[at % customerStatuses.length]]))
  }
  const signals = observations.flatMap(({ answer }) => answer.records)
  const guess = (word: string): SignalStatus => {
    const named = signals.filter(({ status }) => status === word)
    const isMost = (some: readonly JsonObject[]) => some.length > named.length / 2
    if (!isMost(named.filter(({ closedDate }) => typeof closedDate === 'string' && closedDate !== '')))
      return 'open'
    // By default, 1 is the lookup's "none" entry.
    const isDismissed = isMost(named.filter(({ dismissalReason: one }) => isObject(one) && one['id'] !== 1))
    return isDismissed ? 'dismissed' : 'closed'
  }
  return Object.fromEntries(words.map((word) => [word, guess(word)]))
}

const MAX_UNMODELLED = 1_000

/** Lists the fields of records that the contract does not have, by name and type only. */
function listUnmodelled(answers: readonly Answer[]): Calibration['unmodelled'] {
  const unmodelled = new Map<string, Calibration['unmodelled'][number]>()
  for (const { endpoint, records } of answers) {
    for (const [field, type] of records.flatMap((record) => [...listExtras(endpoint.shape, record, '')])) {
      const one = { operationId: endpoint.id, field, type }
      if (unmodelled.size < MAX_UNMODELLED) unmodelled.set(JSON.stringify(one), one)
    }
  }
  return [...unmodelled].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

function* listExtras(schema: unknown, value: unknown, path: string): Iterable<readonly [string, string]> {
  if (schema instanceof z.ZodNullable) yield* listExtras(schema.unwrap(), value, path)
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    for (const part of value) yield* listExtras(schema.element, part, `${path}[]`)
  }
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return
  for (const [name, part] of Object.entries(value)) {
    // Any other key may be a value, as in an object that is a map.
    const shown = /^[A-Za-z_$][\w$-]{0,39}$/.test(name) ? name : '…'
    const at = path === '' ? shown : `${path}.${shown}`
    if (Object.hasOwn(schema.shape, name)) yield* listExtras(schema.shape[name], part, at)
    else yield [at, part === null ? 'null' : Array.isArray(part) ? 'array' : typeof part]
  }
}
