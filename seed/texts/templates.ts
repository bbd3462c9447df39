import { getOrCreate } from '../../src/core/maps.ts'
import type slots from './slots.json'

/** A slot of the templates in a file of texts. `slots.json` describes each. */
export type Slot<F extends keyof typeof slots> = keyof (typeof slots)[F]

/** The values of a template's slots. A getter is read only if the template has its slot. */
export type Facts = Readonly<Record<string, string | number | undefined>>

const partsByTemplate = new Map<string, readonly string[]>()

/** Splits the words of a text file, which are in one row or in several, separated by commas. */
export const splitWords = (rows: string | readonly string[]): string[] =>
  [rows].flat().flatMap((row) => row.split(', '))

/** Splits a script, which has an empty line between two exchanges. */
export function splitScript(lines: readonly string[]): string[][] {
  const exchanges: string[][] = [[]]
  for (const line of lines) {
    if (line === '') exchanges.push([])
    else exchanges.at(-1)?.push(line)
  }
  return exchanges
}

/** Splits a template into texts and slots in turn. Order: as in the template. */
export const splitTemplate = (template: string): readonly string[] =>
  getOrCreate(partsByTemplate, template, (text) => text.split(/\{\{(\w+)\}\}/))

/**
 * Fills the slots of a template, as in `{{customer}} renews in {{month}}`.
 * NOTE: Faker's `helpers.mustache` leaves unknown slots in the text, fills slots inside of values, and compiles a regular
 * expression for each fact.
 * Errors: RangeError for a slot without a fact.
 */
export function fillTemplate(template: string, facts: Facts): string {
  const parts = splitTemplate(template)
  let text = parts[0] ?? ''
  for (let place = 1; place < parts.length; place += 2) {
    const slot = parts[place] ?? ''
    const fact = facts[slot]
    if (fact === undefined) throw new RangeError(`The template "${template}" needs a fact named "${slot}".`)
    text += `${fact}${parts[place + 1]}`
  }
  return text
}

export function canFill(template: string, facts: Facts): boolean {
  const parts = splitTemplate(template)
  for (let place = 1; place < parts.length; place += 2) {
    if (facts[parts[place] ?? ''] === undefined) return false
  }
  return true
}

export const listSlots = (template: string): string[] =>
  splitTemplate(template).filter((_, place) => place % 2 === 1)

/** Creates the test whether a text agrees with others: none has one part of a contradiction, and the text the other part. */
export function createAgreement(contradictions: readonly (readonly string[])[]) {
  const opponents = new Map<string, readonly string[]>()
  const listOpponents = (text: string): readonly string[] =>
    getOrCreate(opponents, text, () =>
      contradictions.flatMap(([one = '', other = '']) => [
        ...(text.includes(one) ? [other] : []),
        ...(text.includes(other) ? [one] : []),
      ]),
    )
  return (text: string, others: readonly string[]): boolean =>
    others.every((other) => !listOpponents(other).some((part) => text.includes(part)))
}
