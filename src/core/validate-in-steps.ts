import * as z from 'zod'

import { invalidRequest, MAX_LISTED } from './errors.ts'
import { formatPath, validationErrors } from './issues.ts'
import { hasMoreValues, isObject } from './json.ts'
import type { Steps } from './slices.ts'

/** The most values of what cannot be divided, such as a record: fields, items and what they contain. */
const MAX_VALUES = 10_000

/** The most values of what is not divided. */
export const VALUES_PER_STEP = 1_000

const isDivided = (value: unknown): boolean => hasMoreValues(value, VALUES_PER_STEP)

export interface Validated<T> {
  readonly data: T
  /** Empty if the input is valid. */
  readonly issues: readonly z.core.$ZodIssue[]
  /** The list in which validation has ended early, and the number of items that are left. */
  readonly rest: { readonly path: readonly PropertyKey[]; readonly count: number } | undefined
}

/**
 * Validates an input in steps: a long list item by item, until there are 100 issues. Parts that have more than 10,000 values
 * and cannot be divided are refused, unless their schema accepts any value.
 */
export function* validateInSteps<S extends z.ZodType>(
  schema: S,
  input: unknown,
): Steps<Validated<z.output<S>>> {
  const validator = new Validator()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without issues, each part is an output of its schema
  const data = (yield* validator.validate(schema, input, [])) as z.output<S>
  return { data, issues: validator.issues, rest: validator.rest }
}

/** As `parseInput`, in steps. @throws SandboxError `invalid_request` */
export function* parseInSteps<S extends z.ZodType>(schema: S, input: unknown): Steps<z.output<S>> {
  const { data, issues, rest } = yield* validateInSteps(schema, input)
  if (issues.length === 0) return data
  const errors = validationErrors('body', schema, issues)
  if (!rest) throw invalidRequest(errors)
  const message = `has ${rest.count} more items, which are not validated`
  const last = { in: 'body', name: formatPath(rest.path), message } as const
  throw invalidRequest([...errors.slice(0, MAX_LISTED - 1), last])
}

class Validator {
  readonly issues: z.core.$ZodIssue[] = []
  rest: Validated<unknown>['rest'];

  *validate(schema: unknown, input: unknown, path: readonly PropertyKey[]): Steps<unknown> {
    if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
      const isAbsent = input === undefined || input === null
      if (!isAbsent) return yield* this.validate(schema.unwrap(), input, path)
    }
    if (schema instanceof z.ZodLazy) return yield* this.validate(schema.unwrap(), input, path)
    if (!isDivided(input) || acceptsAny(schema)) return this.#parse(schema, input, path)
    yield
    if (schema instanceof z.ZodUnion) {
      const options = schema.options.filter((one) => one instanceof z.ZodArray === Array.isArray(input))
      if (options.length === 1) return yield* this.validate(options[0], input, path)
    }
    if (schema instanceof z.ZodArray && Array.isArray(input))
      return yield* this.#validateList(schema, input, path)
    const hasFields = schema instanceof z.ZodRecord || schema instanceof z.ZodObject
    if (hasFields && isObject(input)) return yield* this.#validateFields(schema, input, path)
    return this.#parseWhole(schema, input, path)
  }

  #parseWhole(schema: unknown, input: unknown, path: readonly PropertyKey[]): unknown {
    return hasMoreValues(input, MAX_VALUES) ? this.#refuse(path) : this.#parse(schema, input, path)
  }

  #refuse(path: readonly PropertyKey[]): undefined {
    this.issues.push({
      code: 'custom',
      path: [...path],
      message: `must not have more than ${MAX_VALUES} values`,
      input: undefined,
    })
  }

  /** @param skipped the steps of an issue's path that are in the path of the input already */
  #parse(schema: unknown, input: unknown, path: readonly PropertyKey[], skipped = 0): unknown {
    if (!(schema instanceof z.ZodType)) return undefined
    const { data, error } = schema.safeParse(input, { reportInput: true })
    for (const issue of error?.issues ?? []) {
      this.issues.push({ ...issue, path: [...path, ...issue.path.slice(skipped)] })
    }
    return data
  }

  *#validateList(
    schema: z.ZodArray,
    input: readonly unknown[],
    path: readonly PropertyKey[],
  ): Steps<readonly unknown[]> {
    const checks = schema.def.checks?.map(({ _zod }) => _zod.def) ?? []
    if (checks.some((check) => 'maximum' in check && input.length > Number(check.maximum))) {
      // Nothing but its length is validated.
      this.#parse(new z.ZodArray({ ...schema.def, element: z.unknown() }), input, path)
      return []
    }
    if (checks.length === 0 && acceptsAny(schema.element)) return input
    const isChecked = checks.some(({ check }) => check === 'custom')
    const items: unknown[] = []
    for (const [index, item] of input.entries()) {
      if (this.issues.length >= MAX_LISTED) {
        this.rest = { path, count: input.length - index }
        break
      }
      // Each item as a list of one, so that checks of the list apply to it.
      if (!isChecked) items.push(yield* this.validate(schema.element, item, [...path, index]))
      else if (hasMoreValues(item, MAX_VALUES)) this.#refuse([...path, index])
      else items.push(...[this.#parse(schema, [item], [...path, index], 1) ?? []].flat())
      yield
    }
    return items
  }

  /** Validates an object without its large fields, or a record without its values, and then these one after the other. */
  *#validateFields(
    schema: z.ZodObject | z.ZodRecord,
    input: Readonly<Record<string, unknown>>,
    path: readonly PropertyKey[],
  ): Steps<unknown> {
    const fields: Record<string, unknown> = {}
    for (const name of Object.keys(schema instanceof z.ZodRecord ? input : schema.shape)) {
      if (schema instanceof z.ZodRecord) fields[name] = schema.valueType
      else if (isDivided(input[name]) && !acceptsAny(schema.shape[name])) fields[name] = schema.shape[name]
      yield
    }
    const names = Object.keys(fields)
    if (names.length > 0 && schema.def.checks?.length) return this.#parseWhole(schema, input, path)
    const parsed = { ...Object(this.#parse(acceptFields(schema, names), input, path)) }
    for (const name of names) {
      if (this.issues.length >= MAX_LISTED) break
      parsed[name] = yield* this.validate(fields[name], input[name], [...path, name])
      yield
    }
    return parsed
  }
}

/** Creates an object or record anew that accepts any value of some fields, or of all. */
function acceptFields(schema: z.ZodObject | z.ZodRecord, names: readonly string[]): z.ZodType {
  if (schema instanceof z.ZodRecord) return new z.ZodRecord({ ...schema.def, valueType: z.unknown() })
  const any = Object.fromEntries(names.map((name) => [name, z.unknown()]))
  return names.length === 0 ? schema : new z.ZodObject({ ...schema.def, shape: { ...schema.shape, ...any } })
}

/** Reports whether a schema accepts any value, so that a large one costs no more than a small one. */
function acceptsAny(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return acceptsAny(schema.unwrap())
  if (schema instanceof z.ZodPipe)
    return acceptsAny(schema.in) || (schema.in instanceof z.ZodTransform && acceptsAny(schema.out))
  if (schema instanceof z.ZodRecord) return acceptsAny(schema.valueType)
  if (schema instanceof z.ZodUnion) return schema.options.some(acceptsAny)
  return schema instanceof z.ZodUnknown || schema instanceof z.ZodAny
}
