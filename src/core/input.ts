import type * as z from 'zod'

/**
 * The type of what a schema accepts, whose lists may be readonly. An exported interface that extends it, and has the name of
 * its schema, gets the texts of the schema's fields as comments, which `src/node/schemas/document-types.ts` writes.
 */
export type Input<S extends z.ZodType> = Readable<z.input<S>>

/** An object whose fields, and lists in them, are only read. */
export type Readable<T> = { readonly [K in keyof T]: ReadonlyList<T[K]> }

type ReadonlyList<V> = V extends readonly (infer E)[] ? readonly E[] : V

/** Shows the type of a schema by a name, rather than by its fields. */
export const named = <T>(schema: z.ZodType<T, T>): z.ZodType<T, T> => schema
