import type * as z from 'zod'

import { adapt, type Rename, renameKeys } from './codecs.ts'
import { addOwnShape, type OwnShape, type ShapeName } from './shapes.ts'

/** Declares the sandbox's own form of a record. Settings may rename its keys, or replace it by a learned shape. */
export function learnable<T extends z.ZodObject>(
  name: ShapeName,
  schema: T,
  { rename = () => undefined, ...own }: Omit<OwnShape, 'schema'> & { readonly rename?: Rename } = {},
): T {
  addOwnShape(name, { schema, ...own })
  return adapt(renameKeys(schema, rename), ({ shapes }) => shapes?.get(name))
}
