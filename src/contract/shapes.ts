import * as z from 'zod'

import { type FieldError, invalidRequest } from '../core/errors.ts'
import { formatPath } from '../core/issues.ts'
import type { AssumptionId } from './assumptions.ts'
import type { SchemaIssue } from './expand-schema.ts'
import { type JsonSchema, readJsonSchema } from './json-schema.ts'
import { type GenerateValue, listSources, type OwnShape } from './learned-field.ts'
import { LearnedShape } from './learned-shape.ts'
import type { Provenance } from './provenance.ts'

/** The records whose fields the document does not show, each with its assumption; roles have none. */
const assumptionByShape = {
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

/** The name of a record whose fields the document does not show. */
export type ShapeName = keyof typeof assumptionByShape

/** The names of all records whose fields the document does not show. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
export const shapeNames = Object.keys(assumptionByShape) as ShapeName[]

/** JSON Schemas of some records. */
export type ShapesInput = { readonly [N in ShapeName]?: Readonly<Record<string, unknown>> | undefined }

const ShapeInput = z
  .unknown()
  .superRefine((value, context) => {
    for (const { path, message } of readJsonSchema(value).issues) {
      context.addIssue({ code: 'custom', path: [...path], message })
    }
  })
  .meta({ type: 'object', description: 'The JSON Schema of this record' })

/** Validates the JSON Schemas of some records: one issue for each part that cannot be used. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema for each name
export const ShapesInput = z.strictObject(
  Object.fromEntries(shapeNames.map((name) => [name, ShapeInput.optional()])),
) as unknown as z.ZodObject & z.ZodType<ShapesInput>

/** The sandbox's own records, which `learnable` lists. */
const ownShapes = new Map<ShapeName, OwnShape>()

/** Lists a record of the sandbox that a learned shape may replace. */
export function addOwnShape(name: ShapeName, own: OwnShape): void {
  ownShapes.set(name, own)
}

/** Returns the record of the sandbox that a learned shape may replace. */
export function getOwnShape(name: ShapeName): OwnShape {
  return ownShapes.get(name) ?? { schema: z.object({}) }
}

/** Lists the names that `x-from` may have in a shape: the fields of the sandbox's own record. */
export const listShapeSources = (name: ShapeName): string[] => listSources(getOwnShape(name))

/** The learned shapes of a sandbox. */
export class Shapes {
  readonly #input: ShapesInput
  readonly #shapes = new Map<ShapeName, LearnedShape>()

  /** Errors: invalid_request that names each part of a schema that cannot be used. */
  constructor(input: ShapesInput, generate: GenerateValue) {
    this.#input = input
    const errors: FieldError[] = []
    for (const name of shapeNames) {
      if (input[name] === undefined) continue
      const { schema, issues } = readJsonSchema(input[name])
      const shape = issues.length > 0 ? undefined : compile(name, schema, generate)
      errors.push(...toErrors(name, [...issues, ...(shape?.issues ?? [])]))
      if (shape) this.#shapes.set(name, shape)
    }
    if (errors.length > 0) throw invalidRequest(errors)
  }

  /** Returns the learned shape of a record; undefined if it has the sandbox's own fields. */
  get(name: ShapeName): LearnedShape | undefined {
    return this.#shapes.get(name)
  }

  /** Lists the JSON Schemas that fill the gap of an assumption; undefined if there are none. */
  list(id: AssumptionId): ShapesInput | undefined {
    const found = shapeNames.filter((name) => assumptionByShape[name] === id && this.#shapes.has(name))
    return found.length > 0 ? Object.fromEntries(found.map((name) => [name, this.#input[name]])) : undefined
  }

  /** Returns the JSON Schemas, by which settings are compared. */
  toJSON(): ShapesInput {
    return this.#input
  }
}

function compile(name: ShapeName, schema: JsonSchema, generate: GenerateValue): LearnedShape {
  const assumption = assumptionByShape[name]
  const marks: Provenance = {
    'x-provenance': 'assumed',
    ...(assumption && { 'x-assumption': assumption }),
    'x-source': `shapes.${name}`,
  }
  return new LearnedShape(schema, marks, { name, own: getOwnShape(name), generate })
}

function toErrors(name: ShapeName, issues: readonly SchemaIssue[]): FieldError[] {
  return issues.map(({ path, message }) => ({
    in: 'body',
    name: formatPath(['shapes', name, ...path]),
    message,
  }))
}
