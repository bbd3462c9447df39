import * as z from 'zod'

/** A count, as a file holds it. */
export const savedCount = z.int('must be a whole number').nonnegative('must be at least 0')

/** Numbered items, as a file holds them. */
interface SavedItems {
  /** The number of items that were ever added, from which ids follow. */
  readonly count: number
  readonly items: readonly { readonly id: string }[]
}

/** Reports ids that two items have, and ids that were not given yet. */
export function checkIds({ count, items }: SavedItems, context: z.RefinementCtx): void {
  const seen = new Set<string>()
  for (const [index, { id }] of items.entries()) {
    const path = ['items', index, 'id']
    const noun = id.slice(0, id.indexOf('-'))
    if (seen.has(id)) context.addIssue({ code: 'custom', path, message: `is the id of two ${noun}s` })
    if (Number(id.slice(noun.length + 1)) > count)
      context.addIssue({ code: 'custom', path, message: `must not be greater than the count of ${noun}s` })
    seen.add(id)
  }
}
