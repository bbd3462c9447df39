import * as z from 'zod'

import { type FieldError, invalidRequest } from '../core/errors.ts'
import { formatPath, toFieldErrors } from '../core/issues.ts'
import { isObject } from '../core/json.ts'
import { didYouMean } from '../core/nearest.ts'
import type { AssumptionId } from './assumptions.ts'
import type { SchemaIssue } from './expand-schema.ts'
import { type JsonSchema, readJsonSchema } from './json-schema.ts'
import {
  buildValue,
  type FieldContext,
  fits,
  type GenerateValue,
  isSame,
  type LearnedField,
  markFields,
  readAt,
  readFields,
  restoreValue,
  toZodInput,
} from './learned-field.ts'
import { type LearnedValues, readLearned, readRow, withLearned } from './learned-values.ts'
import { getProvenance, type Provenance } from './provenance.ts'
import { assumptionByShape, getOwnShape, type ShapeName, shapeNames, type ShapesInput } from './shapes.ts'

/**
 * The form of a record that its JSON Schema describes. Fields with the name of one of the sandbox's own fields, or with
 * its name as `x-from`, have its value if that fits. Others have a value that was arranged, or a generated one.
 */
class LearnedShape {
  readonly schema: z.ZodObject
  readonly isByRecord = true
  readonly isLearned = true
  readonly #fields: ReadonlyMap<string, LearnedField>
  readonly #context: FieldContext

  constructor(json: JsonSchema, marks: Provenance, context: Omit<FieldContext, 'issues'>) {
    this.#context = { ...context, issues: [] }
    const fields = readFields(json, this.#context)
    this.#fields = new Map(fields.map((field) => [field.name, field]))
    if (json.type !== 'object' || json.properties === undefined) {
      this.#context.issues.push({ path: [], message: 'must describe an object, with its properties' })
    }
    this.#checkDocumented(json)
    const schema = z.fromJSONSchema(toZodInput(markFields(json, marks, fields)))
    this.schema = schema instanceof z.ZodObject ? schema : z.object({})
  }

  get issues(): readonly SchemaIssue[] {
    return this.#context.issues
  }

  readonly encode = (value: unknown): unknown => {
    if (!isObject(value)) return value
    const record = { ...readRow(value), ...value }
    const key = this.#identify(record)
    const arranged: LearnedValues = { ...Object(record['learned']) }
    const shown = Array.from(this.#fields, ([name, field]) => {
      const own = Object.hasOwn(arranged, name) ? arranged[name] : undefined
      const isUsable = own !== undefined && fits(field, own)
      return [name, isUsable ? own : buildValue(field, record, key, this.#context)]
    })
    // Fields of an arranged record besides those of its shape, like `organizationId`.
    const further = Object.entries(value).filter(
      ([name]) => !this.#fields.has(name) && !Object.hasOwn(this.#ownFields, name),
    )
    return Object.fromEntries([...shown, ...further])
  }

  readonly decode = (value: unknown): unknown => {
    if (!isObject(value)) return value
    const parts = Object.entries(value)
    const record = Object.fromEntries(parts.filter(([name]) => !this.#fields.has(name)))
    const given = parts.flatMap(([name, part]) => {
      const field = this.#fields.get(name)
      return field ? [{ field, part }] : []
    })
    for (const { field, part } of given) restoreValue(field, part, record)
    if (this.#context.own.isPart) this.#complete(record)
    // A record without an id is generated again under another key, so that all of its values are kept.
    const isKept = record['id'] === undefined && !this.#context.own.isPart
    const key = this.#identify(record)
    const learned = given.map(({ field, part }) => [
      field.name,
      !isKept && isSame(buildValue(field, record, key, this.#context), part) ? undefined : part,
    ])
    return withLearned(record, Object.fromEntries(learned))
  }

  readonly check = (value: unknown): readonly { readonly path: string; readonly message: string }[] => {
    if (!isObject(value)) return []
    const { name: shape, own } = this.#context
    const unkept = own.isPart ? (readLearned(this.decode(value)) ?? {}) : {}
    const further = Object.keys(own.row?.shape ?? {}).filter(
      (name) => name !== 'learned' && !Object.hasOwn(this.#ownFields, name),
    )
    const known = [...this.#fields.keys(), ...further]
    return Object.entries(value).flatMap(([name, part]) => {
      if (!known.includes(name)) return [{ path: name, message: `is not known. ${didYouMean(name, known)}` }]
      const issues = this.#fields.get(name)?.schema.safeParse(part).error?.issues ?? []
      const placed = issues.map((issue) => ({ ...issue, path: [name, ...issue.path] }))
      const errors = toFieldErrors('body', placed).map((error) => ({ ...error, path: error.name }))
      if (errors.length > 0 || unkept[name] === undefined) return errors
      const advice = `Leave it out, or give it x-from in shapes.${shape}.`
      return [{ path: name, message: `cannot be arranged, because it is generated. ${advice}` }]
    })
  }

  get #ownFields(): Readonly<Record<string, z.ZodType>> {
    return this.#context.own.schema.shape
  }

  #checkDocumented({ required = [] }: JsonSchema): void {
    for (const [name, schema] of Object.entries(this.#ownFields)) {
      if (getProvenance(schema)?.['x-provenance'] !== 'documented') continue
      const field = this.#fields.get(name)
      const isLike = field?.source?.schema === schema && fits(field, schema instanceof z.ZodString ? 'a' : 1)
      if (isLike && required.includes(name)) continue
      const message = 'must be required and as the document shows it'
      this.#context.issues.push({ path: ['properties', name], message })
    }
  }

  #identify(record: Readonly<Record<string, unknown>>): string {
    if (typeof record['id'] === 'number') return String(record['id'])
    const values = Array.from(this.#fields.values(), ({ source }) => source && readAt(record, source.path))
    return JSON.stringify(values)
  }

  #complete(record: Record<string, unknown>): void {
    for (const [name, schema] of Object.entries(this.#ownFields)) {
      record[name] ??= ['', 0, 1].find((value) => schema.safeParse(value).success)
    }
  }
}

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
      const assumption = assumptionByShape[name]
      const marks: Provenance = {
        'x-provenance': 'assumed',
        ...(assumption && { 'x-assumption': assumption }),
        'x-source': `shapes.${name}`,
      }
      const context = { name, own: getOwnShape(name), generate }
      const shape = issues.length > 0 ? undefined : new LearnedShape(schema, marks, context)
      for (const { path, message } of [...issues, ...(shape?.issues ?? [])]) {
        errors.push({ in: 'body', name: formatPath(['shapes', name, ...path]), message })
      }
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
