import * as z from 'zod'

/** The schemas that an object, an array, an optional or a nullable is made of; none for every other one. */
export function partsOf(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodObject) return Object.values<z.ZodType>(schema.shape)
  if (schema instanceof z.ZodArray) return [innerOf(schema.element)]
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return [innerOf(schema.unwrap())]
  return []
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- zod gives what is within a schema as the core's type
const innerOf = (schema: z.core.$ZodType): z.ZodType => schema as z.ZodType
