/** The values of a template's slots. A getter is read only if the template has its slot. */
export type Facts = Readonly<Record<string, string | number>>

const SLOT = /\{\{(\w+)\}\}/g

/**
 * Fills the slots of a template, as in `{{customer}} renews in {{month}}`.
 * NOTE: Faker's `helpers.mustache` leaves unknown slots in the text, fills slots inside of values, and compiles a regular
 * expression for each fact.
 * Errors: RangeError for a slot without a fact.
 */
export function fillTemplate(template: string, facts: Facts): string {
  return template.replace(SLOT, (_, slot: string) => {
    const fact = facts[slot]
    if (fact === undefined) throw new RangeError(`The template "${template}" needs a fact named "${slot}".`)
    return String(fact)
  })
}

/** Lists the slots of a template. Order: as in the template. */
export const listSlots = (template: string): string[] =>
  Array.from(template.matchAll(SLOT), ([, slot = '']) => slot)
