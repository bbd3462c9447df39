import type * as z from 'zod'

import { adapt } from './codecs.ts'
import { addOwnShape, type OwnShape, type ShapeName } from './shapes.ts'

export function learnable<T extends z.ZodObject>(
  name: ShapeName,
  schema: T,
  options: Omit<OwnShape, 'schema'> = {},
): T {
  addOwnShape(name, { schema, ...options })
  return adapt(schema, ({ shapes }) => shapes?.get(name))
}
