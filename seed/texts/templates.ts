/** The values of a template's slots. A getter is read only if the template has its slot. */
export type Facts = Readonly<Record<string, string | number>>

/** The values of a template's slots; undefined for what is not known. */
export type KnownFacts = Readonly<Record<string, string | number | undefined>>

const SLOT = /\{\{(\w+)\}\}/g

/**
 * Fills the slots of a template, as in `{{customer}} renews in {{month}}`.
 * NOTE: Faker's `helpers.mustache` leaves unknown slots in the text, fills slots inside of values, and compiles a regular
 * expression for each fact.
 * Errors: RangeError for a slot without a fact.
 */
export function fillTemplate(template: string, facts: KnownFacts): string {
  let parts = partsByTemplate.get(template)
  if (!parts) partsByTemplate.set(template, (parts = template.split(SLOT)))
  let text = parts[0] ?? ''
  for (let place = 1; place < parts.length; place += 2) {
    const slot = parts[place] ?? ''
    const fact = facts[slot]
    if (fact === undefined) throw new RangeError(`The template "${template}" needs a fact named "${slot}".`)
    text += `${fact}${parts[place + 1]}`
  }
  return text
}

/** Caches the texts between slots, and the slots, of templates, in turn. */
const partsByTemplate = new Map<string, readonly string[]>()

/** Lists the slots of a template. Order: as in the template. */
export const listSlots = (template: string): string[] =>
  Array.from(template.matchAll(SLOT), ([, slot = '']) => slot)
