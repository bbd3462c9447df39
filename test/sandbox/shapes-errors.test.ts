import { expect, it } from 'vitest'

import { createSandbox } from '../../src/index.ts'

/** Describes why shapes are rejected. */
const reject = async (shapes: object) => {
  const error = await createSandbox({ shapes }).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof Error ? error.message : undefined
}

const loop: Record<string, unknown> = { type: 'object', properties: {} }
Object(loop['properties'])['self'] = loop

const fields = (properties: object, more: object = {}) => ({ product: { properties, ...more } })
const nest = (levels: number): object => (levels === 0 ? {} : { properties: { a: nest(levels - 1) } })

it.each<[object, RegExp]>([
  [{ produkt: {} }, /shapes\.produkt: is not known\. Did you mean product\?/],
  [{ product: 7 }, /shapes\.product: must be a JSON Schema/],
  [{ product: { type: 'string' } }, /shapes\.product: must describe an object, with its properties/],
  [{ product: loop }, /shapes\.product: must not be nested this deep, or contain itself/],
  [{ product: nest(14) }, /is nested more than 12 levels/],
  [
    fields(Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`f${at}`, {}]))),
    /f499: is one part too many: a shape has at most 500/,
  ],
  [
    fields({ a: { description: 'x'.repeat(70_000) } }),
    /shapes\.product: must be at most 65536 characters of JSON/,
  ],
  [
    fields({ title: { type: 'string', pattern: '^a' } }),
    /shapes\.product\.properties\.title\.pattern: is a keyword that a shape cannot have\. Use type, .*or remove it/,
  ],
  [fields({ title: { type: 'text' } }), /properties\.title\.type: must be one or some of string, number/],
  [
    fields({ title: { type: 'string', format: 'phone' } }),
    /title\.format: must be one of date-time, date, .*Remove it/,
  ],
  [
    fields({ title: { $ref: 'https://example.com/title.json' } }),
    /title\.\$ref: leads to another document\. Copy that schema into \$defs/,
  ],
  [
    fields({ title: { $ref: '#/$defs/Title' } }),
    /title\.\$ref: leads to nothing: there is no #\/\$defs\/Title/,
  ],
  [
    fields({ a: { $ref: '#/$defs/A' } }, { $defs: { A: { properties: { b: { $ref: '#/$defs/A' } } } } }),
    /a\.properties\.b\.\$ref: leads back to itself by #\/\$defs\/A → #\/\$defs\/A/,
  ],
  [
    fields({ a: { allOf: [{ type: 'string' }, { type: 'integer' }] } }),
    /properties\.a: says two things of type, by allOf/,
  ],
  [
    fields({ title: { 'x-from': 'nam' } }),
    /title\.x-from: must be a field of the sandbox's own product \(got nam\)\. Did you mean name\?/,
  ],
  [fields({ a: { type: 'array', items: { 'x-from': 'name' } } }), /properties\.a: has x-from within a list/],
  [
    fields({ a: { type: 'integer', minimum: 5, maximum: 4 } }),
    /properties\.a: has bounds that no generated value fits/,
  ],
  [
    fields({ a: { type: 'string', format: 'email', maxLength: 3 } }),
    /properties\.a: has bounds that no generated value fits/,
  ],
  [
    {
      memberRole: {
        properties: { id: { type: 'integer' }, key: { type: 'string' } },
        required: ['id', 'key'],
      },
    },
    /shapes\.memberRole\.properties\.name: must be required and as the document shows it/,
  ],
])('rejects a schema that cannot be used, by its place: %#', async (shapes, message) => {
  expect(await reject(shapes)).toMatch(message)
})
