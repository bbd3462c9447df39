import type * as z from 'zod'

import { adapt, type Rename, renameKeys } from './codecs.ts'
import { addOwnShape, type OwnShape, type ShapeName } from './shapes.ts'

export function learnable<T extends z.ZodObject>(
  name: ShapeName,
  schema: T,
  { rename = () => undefined, ...own }: Omit<OwnShape, 'schema'> & { readonly rename?: Rename } = {},
): T {
  addOwnShape(name, { schema, ...own })
  return adapt(renameKeys(schema, rename), ({ shapes }) => shapes?.get(name))
}
