import { fillTemplate, listSlots } from './templates.ts'

/** The values of a template's slots; undefined for what is not known. */
export type KnownFacts = Readonly<Record<string, string | number | undefined>>

/** Caches the slots of templates, which are read for each record. */
const slotsByTemplate = new Map<string, readonly string[]>()

/** Reports whether all facts that a template needs are known. */
export function canFill(template: string, facts: KnownFacts): boolean {
  const slots = slotsByTemplate.get(template) ?? listSlots(template)
  slotsByTemplate.set(template, slots)
  return slots.every((slot) => facts[slot] !== undefined)
}

/** Fills the slots of a template. Errors: RangeError for a slot whose fact is not known. */
export function fillKnown(template: string, facts: KnownFacts): string {
  const known = Object.entries(facts).flatMap(([slot, fact]) => (fact === undefined ? [] : [[slot, fact]]))
  return fillTemplate(template, Object.fromEntries(known))
}
