import { fillTemplate, type KnownFacts, listSlots } from './templates.ts'

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
  return fillTemplate(template, facts)
}
