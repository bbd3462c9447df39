import * as z from 'zod'

/** Creates the schema of a list in an envelope. `totalCount` counts the items before pagination. */
export function envelope<S extends z.ZodType>(
  item: S,
): z.ZodObject<{ items: z.ZodArray<S>; totalCount: z.ZodInt }> {
  return z.object({ items: z.array(item), totalCount: z.int() })
}

export function toEnvelope<T>(items: readonly T[]): { items: readonly T[]; totalCount: number } {
  return { items, totalCount: items.length }
}
