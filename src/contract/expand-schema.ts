import { isObject } from '../core/json.ts'

export interface SchemaIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** The limits of a schema, after its references are replaced. Units: characters of JSON, levels, parts. */
export const limits = { size: 65_536, levels: 12, parts: 500 } as const

export const listLength = 3

const keywords = [
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minItems',
  'maxItems',
  'anyOf',
  'oneOf',
  'allOf',
  'enum',
  'const',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'nullable',
  'description',
  '$ref',
  'x-from',
]

const ignored = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'externalDocs',
  'xml',
])

const storageFormats = new Set(['int64', 'float', 'double', 'password', 'binary', 'byte'])

type Part = Readonly<Record<string, unknown>>

export class Expander {
  readonly issues: SchemaIssue[] = []
  readonly #root: unknown
  #parts = 0

  constructor(root: unknown) {
    this.#root = root
  }

  expand(part: unknown, path: readonly PropertyKey[], references: readonly string[] = []): Part {
    if (!isObject(part)) return this.#fail(path, 'must be a JSON Schema, an object')
    this.#parts += 1
    if (this.#parts > limits.parts) {
      return this.#parts === limits.parts + 1
        ? this.#fail(path, `is one part too many: a shape has at most ${limits.parts}`)
        : {}
    }
    if (path.length > limits.levels * 2)
      return this.#fail(path, `is nested more than ${limits.levels} levels`)
    for (const name of Object.keys(part)) this.#checkKeyword(name, path)
    const { $ref, allOf, nullable, ...rest } = part
    const parts = [this.#expandInner(rest, path, references)]
    if ($ref !== undefined) parts.push(this.#resolve($ref, path, references))
    if (Array.isArray(allOf)) {
      parts.push(...allOf.map((one, index) => this.expand(one, [...path, 'allOf', index], references)))
    } else if (allOf !== undefined) this.#fail([...path, 'allOf'], 'must be a list of schemas')
    const own = this.#merge(parts, path)
    return nullable === true ? allowNull(own) : own
  }

  #checkKeyword(name: string, path: readonly PropertyKey[]): void {
    if (keywords.includes(name) || ignored.has(name) || (name.startsWith('x-') && name !== 'x-from')) return
    const advice = `Use ${keywords.join(', ')}, or remove it`
    this.#fail([...path, name], `is a keyword that a shape cannot have. ${advice}`)
  }

  #expandInner(part: Part, path: readonly PropertyKey[], references: readonly string[]): Part {
    const inner = (value: unknown, ...steps: PropertyKey[]) =>
      this.expand(value, [...path, ...steps], references)
    const entries = Object.entries(part).flatMap(([name, value]): [string, unknown][] => {
      if (ignored.has(name) || !keywords.includes(name)) return []
      if (name === 'properties' && isObject(value)) {
        const all = Object.entries(value).map(([key, one]) => [key, inner(one, name, key)])
        return [[name, Object.fromEntries(all)]]
      }
      if (name === 'items') return [[name, inner(value, name)]]
      if ((name === 'anyOf' || name === 'oneOf') && Array.isArray(value)) {
        return [[name, value.map((one, index) => inner(one, name, index))]]
      }
      // The values of other properties are not generated, so their schema does not matter.
      if (name === 'additionalProperties' && isObject(value)) return [[name, true]]
      if (name === 'format' && typeof value === 'string' && storageFormats.has(value)) return []
      if (name === 'format' && value === 'int32') return []
      return [[name, value]]
    })
    const own = Object.fromEntries(entries)
    if (part['format'] === 'int32') {
      own['minimum'] ??= -2_147_483_648
      own['maximum'] ??= 2_147_483_647
    }
    if (own['type'] === undefined && own['properties'] !== undefined) own['type'] = 'object'
    if (own['type'] === undefined && own['items'] !== undefined) own['type'] = 'array'
    return own
  }

  #resolve(reference: unknown, path: readonly PropertyKey[], references: readonly string[]): Part {
    const at = [...path, '$ref']
    if (typeof reference !== 'string') return this.#fail(at, 'must be a string')
    if (!reference.startsWith('#')) {
      return this.#fail(at, 'leads to another document. Copy that schema into $defs')
    }
    if (references.includes(reference)) {
      return this.#fail(at, `leads back to itself by ${[...references, reference].join(' → ')}`)
    }
    const target = findTarget(this.#root, reference)
    if (target === undefined) return this.#fail(at, `leads to nothing: there is no ${reference}`)
    return this.expand(target, path, [...references, reference])
  }

  #merge(parts: readonly Part[], path: readonly PropertyKey[]): Part {
    return parts.reduce((merged, part) => {
      const conflict = findConflict(merged, part)
      if (conflict === undefined) return mergeParts(merged, part)
      return this.#fail(path, `says two things of ${conflict}, by allOf or $ref. Write out what holds`)
    })
  }

  #fail(path: readonly PropertyKey[], message: string): Part {
    this.issues.push({ path, message })
    return {}
  }
}

function findTarget(root: unknown, reference: string): unknown {
  const steps = reference
    .slice(1)
    .split('/')
    .slice(1)
    .map((step) => decode(step).replaceAll('~1', '/').replaceAll('~0', '~'))
  return steps.reduce<unknown>(
    (part, step) => (Object.hasOwn(Object(part), step) ? Reflect.get(Object(part), step) : undefined),
    root,
  )
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const mergeable = new Set(['properties', 'required', 'description', 'x-from'])

function findConflict(a: Part, b: Part): string | undefined {
  const findDifference = (left: Part, right: Part): string | undefined =>
    Object.keys(right).find(
      (name) =>
        Object.hasOwn(left, name) &&
        JSON.stringify(left[name]) !== JSON.stringify(right[name]) &&
        !(left === a && mergeable.has(name)),
    )
  return findDifference(a, b) ?? findDifference(Object(a['properties']), Object(b['properties']))
}

function mergeParts(a: Part, b: Part): Part {
  const merged: Record<string, unknown> = { ...b, ...a }
  const [properties, others] = [a['properties'], b['properties']]
  if (isObject(properties) && isObject(others)) merged['properties'] = { ...properties, ...others }
  const [required, more] = [a['required'], b['required']]
  if (Array.isArray(required) && Array.isArray(more))
    merged['required'] = [...new Set([...required, ...more])]
  return merged
}

function allowNull(part: Part): Part {
  const { type: own, enum: values, anyOf, oneOf } = part
  const more: Record<string, unknown> = {}
  if (own !== undefined) more['type'] = Array.isArray(own) ? [...new Set([...own, 'null'])] : [own, 'null']
  if (Array.isArray(values) && !values.includes(null)) more['enum'] = [...values, null]
  if (Array.isArray(anyOf)) more['anyOf'] = [...anyOf, { type: 'null' }]
  if (Array.isArray(oneOf)) more['oneOf'] = [...oneOf, { type: 'null' }]
  return { ...part, ...more }
}
