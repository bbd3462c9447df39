import { type FieldError, invalidRequest } from '../core/errors.ts'
import { formatPath } from '../core/issues.ts'
import type { AssumptionId } from './assumptions.ts'
import type { SchemaIssue } from './expand-schema.ts'
import { type JsonSchema, readJsonSchema } from './json-schema.ts'
import type { GenerateValue } from './learned-field.ts'
import { LearnedShape } from './learned-shape.ts'
import type { Provenance } from './provenance.ts'
import { assumptionByShape, getOwnShape, type ShapeName, shapeNames, type ShapesInput } from './shapes.ts'

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

  get(name: ShapeName): LearnedShape | undefined {
    return this.#shapes.get(name)
  }

  list(id: AssumptionId): ShapesInput | undefined {
    const found = shapeNames.filter((name) => assumptionByShape[name] === id && this.#shapes.has(name))
    return found.length > 0 ? Object.fromEntries(found.map((name) => [name, this.#input[name]])) : undefined
  }

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
