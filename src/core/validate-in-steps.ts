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

  /** Validates the large fields one after the other, and all others at once. */
  *#validateFields(
    schema: z.ZodObject | z.ZodRecord,
    input: Readonly<Record<string, unknown>>,
    path: readonly PropertyKey[],
  ): Steps<unknown> {
    const large = new Map<string, unknown>()
    const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : Object.keys(input)
    for (const name of names) {
      const field = schema instanceof z.ZodObject ? schema.shape[name] : schema.valueType
      if (isDivided(input[name]) && !acceptsAny(field)) large.set(name, field)
      yield
    }
    if (large.size > 0 && schema.def.checks?.length) return this.#parseWhole(schema, input, path)
    const others = Object.fromEntries(Object.entries(input).filter(([name]) => !large.has(name)))
    const parsed: unknown = this.#parse(large.size > 0 ? omit(schema, large) : schema, others, path)
    const fields: Record<string, unknown> = {}
    for (const name of new Set([...names, ...Object.keys(Object(parsed))])) {
      if (!large.has(name)) {
        if (Object.hasOwn(Object(parsed), name)) fields[name] = Reflect.get(Object(parsed), name)
      } else if (this.issues.length < MAX_LISTED) {
        if (schema instanceof z.ZodRecord) this.#parse(schema.keyType, name, [...path, name])
        fields[name] = yield* this.validate(large.get(name), input[name], [...path, name])
      }
    }
    return fields
  }
}

const omit = (schema: z.ZodObject | z.ZodRecord, fields: ReadonlyMap<string, unknown>): z.ZodType => {
  if (schema instanceof z.ZodRecord) return schema
  const kept = Object.entries<z.core.SomeType>(schema.shape).filter(([name]) => !fields.has(name))
  return new z.ZodObject({ ...schema.def, shape: Object.fromEntries(kept) })
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
