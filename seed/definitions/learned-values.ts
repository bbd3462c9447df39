import type { SimpleFaker } from '@faker-js/faker'

import { listLength } from '../../src/contract/expand-schema.ts'
import type { JsonSchema } from '../../src/contract/json-schema.ts'
import { simpleFakers } from '../random/fakers.ts'
import { hashRecord } from '../random/random.ts'
import { splitWords } from '../texts/templates.ts'

/** Generates a value of a schema by its type and format: the same for the same key and attempt. It may not fit narrow bounds. */
export function generateValue(schema: JsonSchema, key: string, attempt: number): unknown {
  return fill(schema, simpleFakers.start('learned', hashRecord(attempt, key, 0), 'value'))
}

function fill(schema: JsonSchema, faker: SimpleFaker): unknown {
  const { type, enum: values, const: only, anyOf, oneOf } = schema
  const choose = <V>(options: readonly V[]): V => faker.helpers.arrayElement(options)
  if (only !== undefined) return only
  if (values) return choose(values)
  const choices = anyOf ?? oneOf
  if (choices) return fill(choose(choices), faker)
  const chosen = typeof type === 'string' || type === undefined ? type : choose(type)
  switch (chosen ?? 'string') {
    case 'integer':
    case 'number':
      return fillNumber(schema, chosen === 'integer', faker)
    case 'boolean':
      return faker.datatype.boolean()
    case 'null':
      return null
    case 'array':
      return fillList(schema, faker)
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, fill(inner, faker)]),
      )
    case 'string':
    default:
      return fillText(schema, faker)
  }
}

function fillList({ items, minItems = 1, maxItems = listLength }: JsonSchema, faker: SimpleFaker): unknown[] {
  const least = Math.min(minItems, maxItems)
  const count = faker.number.int({ min: least, max: Math.min(Math.max(least, listLength), maxItems) })
  return Array.from({ length: count }, () => fill(items ?? {}, faker))
}

const STEPS = 1_000

function fillNumber(schema: JsonSchema, isInteger: boolean, faker: SimpleFaker): number | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const low = Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity)
  const high = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity)
  const width = multipleOf === undefined ? STEPS : STEPS * multipleOf
  const from = low > -Infinity ? low : Math.min(0, high - width)
  const to = high < Infinity ? high : Math.max(from, 0) + width
  const narrow = (to - from) / STEPS
  const step = multipleOf ?? (isInteger ? 1 : narrow < 0.01 && narrow > 0 ? narrow : 0.01)
  const first = Math.ceil(from / step) + (from === exclusiveMinimum ? 1 : 0)
  const last = Math.floor(to / step) - (to === exclusiveMaximum ? 1 : 0)
  if (first > last || !Number.isSafeInteger(first) || !Number.isSafeInteger(last)) return undefined
  return Number((faker.number.int({ min: first, max: last }) * step).toPrecision(15))
}

const chooseWord = (faker: SimpleFaker): string => faker.helpers.arrayElement(words)

const formats: Readonly<Record<string, (faker: SimpleFaker) => string>> = {
  'date-time': (faker) => createDate(faker).toISOString(),
  date: (faker) => createDate(faker).toISOString().slice(0, 10),
  time: (faker) => `${createDate(faker).toISOString().slice(11, 19)}Z`,
  duration: (faker) => `P${faker.number.int({ min: 1, max: 30 })}D`,
  email: (faker) => `${chooseWord(faker)}.${chooseWord(faker)}@example.com`,
  uri: (faker) => `https://example.com/${chooseWord(faker)}/${faker.number.int({ min: 1, max: 999 })}`,
  uuid: (faker) => faker.string.uuid(),
  hostname: (faker) => `${chooseWord(faker)}.example.com`,
  ipv4: (faker) => `192.0.2.${faker.number.int({ min: 1, max: 254 })}`,
  ipv6: (faker) => `2001:db8::${faker.string.hexadecimal({ length: 3, prefix: '', casing: 'lower' })}`,
}

function fillText({ format, minLength = 0, maxLength = Infinity }: JsonSchema, faker: SimpleFaker): string {
  const fillFormat = format && formats[format]
  if (fillFormat) return fillFormat(faker)
  const threeWords = [chooseWord(faker), chooseWord(faker), chooseWord(faker)]
  const text = threeWords.slice(0, faker.number.int({ min: 1, max: 3 })).join(' ')
  const sentence = text.slice(0, 1).toUpperCase() + text.slice(1)
  const missing = Math.max(0, minLength - sentence.length)
  return (sentence + ` ${chooseWord(faker)}`.repeat(Math.ceil(missing / 4))).slice(
    0,
    Math.max(minLength, Math.min(sentence.length, maxLength)),
  )
}

const [FIRST, LAST] = [Date.UTC(2025, 0, 1), Date.UTC(2026, 0, 1)] as const

const createDate = (faker: SimpleFaker): Date =>
  new Date(faker.number.int({ min: FIRST / 1_000, max: LAST / 1_000 }) * 1_000)

const words = splitWords([
  'account, annual, board, business, central, change, client, contract, core, customer, daily, delivery, early',
  'executive, external, field, finance, general, global, goal, growth, health, internal, key, launch, legal, local',
  'market, monthly, north, office, onboarding, open, partner, pilot, plan, primary, product, program, quarterly',
  'regional, renewal, report, review, sales, service, shared, south, sponsor, standard, success, summary, support',
  'target, team, training, usage, value, weekly, workshop',
])
