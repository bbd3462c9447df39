import * as z from 'zod'

import { lazyStrictObject } from '../core/lazy-schema.ts'
import type { AssumptionId } from './assumptions.ts'
import { readJsonSchema } from './json-schema.ts'

/** The records whose fields the document does not show, each with its assumption; roles have none. */
export const assumptionByShape = {
  brief: 'A-21',
  briefContent: 'A-22',
  customField: 'A-23',
  memberRole: undefined,
  note: 'A-18',
  noteRequest: 'A-18',
  noteCategory: 'A-24',
  product: 'A-25',
  productMetric: 'A-26',
  automationSummary: 'A-19',
  actionLog: 'A-20',
  transcriptLine: 'A-29',
  signalSubCategory: 'A-27',
  meetingContact: 'A-28',
} as const satisfies Record<string, AssumptionId | undefined>

export type ShapeName = keyof typeof assumptionByShape

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
export const shapeNames = Object.keys(assumptionByShape) as ShapeName[]

export type ShapesInput = { readonly [N in ShapeName]?: Readonly<Record<string, unknown>> | undefined }

const ShapeInput = z
  .unknown()
  .superRefine((value, context) => {
    for (const { path, message } of readJsonSchema(value).issues) {
      context.addIssue({ code: 'custom', path: [...path], message })
    }
  })
  .meta({ type: 'object', description: 'The JSON Schema of this record' })

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema for each name
export const ShapesInput = lazyStrictObject(() =>
  Object.fromEntries(shapeNames.map((name) => [name, ShapeInput.optional()])),
) as unknown as z.ZodObject & z.ZodType<ShapesInput>

export interface OwnShape {
  readonly schema: z.ZodObject
  readonly row?: z.ZodObject
  /** Whether the record is part of another one, and so has no row that could store learned values. */
  readonly isPart?: boolean
}

const ownShapes = new Map<ShapeName, OwnShape>()

export function addOwnShape(name: ShapeName, own: OwnShape): void {
  ownShapes.set(name, own)
}

export function getOwnShape(name: ShapeName): OwnShape {
  return ownShapes.get(name) ?? { schema: z.object({}) }
}

export function listSources({ schema, row }: OwnShape): string[] {
  return Object.keys({ ...schema.shape, ...row?.shape }).filter((name) => name !== 'learned')
}
