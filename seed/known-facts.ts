import { fillTemplate, listSlots } from './templates.ts'

/** The values of a template's slots; undefined for what is not known. */
export type KnownFacts = Readonly<Record<string, string | number | undefined>>

/** Reports whether all facts that a template needs are known. */
export const canFill = (template: string, facts: KnownFacts): boolean =>
  listSlots(template).every((slot) => facts[slot] !== undefined)

/** Fills the slots of a template. Errors: RangeError for a slot whose fact is not known. */
export function fillKnown(template: string, facts: KnownFacts): string {
  const known = Object.entries(facts).flatMap(([slot, fact]) => (fact === undefined ? [] : [[slot, fact]]))
  return fillTemplate(template, Object.fromEntries(known))
}
