import * as z from 'zod'

// Making the fields of every schema would take a third of the import of the package, and most are never used.

/** Declares an object like `z.object`, whose fields are made when the schema is first used. */
export const lazyObject = <T extends z.ZodRawShape>(fields: () => T): z.ZodObject<T> => declare(fields)

const never = z.never()

export const lazyStrictObject = <T extends z.ZodRawShape>(fields: () => T): z.ZodObject<T, z.core.$strict> =>
  declare(fields, never)

function declare<T extends z.ZodRawShape, C extends z.core.$ZodObjectConfig>(
  fields: () => T,
  catchall?: z.ZodNever,
): z.ZodObject<T, C> {
  let shape: T | undefined
  const schema = new z.ZodObject({
    type: 'object',
    catchall,
    // Clones of the schema share it.
    get shape(): T {
      shape ??= fields()
      // As a value, it shows that the schema is not recursive: zod remembers what it has parsed with a recursive one.
      Object.defineProperty(this, 'shape', { value: shape })
      return shape
    },
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the constructor's type does not know the shape
  return schema as z.ZodObject<T, C>
}
