import * as z from 'zod'

import { type ChoiceName, choices, type Settings } from '../contract/choices.ts'
import { getProvenance } from '../contract/provenance.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { getOrCreate } from '../core/maps.ts'
import { Signal } from '../resources/signals.ts'
import type { ShownRecords } from './answers.ts'
import { type Evidence, findAlternatives, type Survivors } from './evidence.ts'
import {
  describeDeviation,
  type Deviation,
  getWire,
  isChangedBy,
  listExtras,
  listIssues,
  listOwnChoices,
  listVariants,
} from './schemas.ts'

/** The choices whose alternatives are compared over all records together, because one accepts what another one does. */
const compared: ReadonlySet<ChoiceName> = new Set(['signalStatuses', 'signalNotes', 'openStrings'])

export function compareFields(shown: readonly ShownRecords[], best: Settings, evidence: Evidence): void {
  for (const { answer, shape, records } of shown) {
    for (const name of listOwnChoices(shape)) {
      if (compared.has(name)) continue
      for (const record of records) {
        evidence.add(name, findSurvivors(shape, record, best, name, evidence), answer, 1)
      }
    }
  }
}

function findSurvivors(
  shape: z.ZodType,
  record: JsonObject,
  best: Settings,
  name: ChoiceName,
  evidence: Evidence,
): Survivors {
  const issues = listVariants(best, name).map(
    (settings) =>
      new Map(listIssues(getWire(shape, settings), record).map((one) => [one.path.join('.'), one])),
  )
  const isShared = (key: string): boolean => issues.every((paths) => paths.has(key))
  const survivors = findAlternatives(name, (_, at) => [...(issues[at]?.keys() ?? [])].every(isShared))
  const misfits = [...(issues[0]?.values() ?? [])].filter((one) => isShared(one.path.join('.')))
  const own = misfits.find((one) => isOwn(shape, name, one))
  if (survivors.length === 0 || own) {
    const first = own ?? [...(issues[0]?.values() ?? [])].find((one) => !isShared(one.path.join('.')))
    const others = own ? [] : listExtras(getWire(shape, best), record).slice(0, MAX_DESCRIBED)
    if (first) evidence.describe(name, [first, ...others].map(describeDeviation).join('; '))
  }
  if (own && survivors.length === issues.length) return []
  if (name !== 'absentValues' || !hasEmptyText(shape, record)) return survivors
  if (survivors.length === 1 && survivors[0] !== TYPED) evidence.describe(name, 'both null and empty strings')
  return survivors.filter((at) => at === TYPED)
}

const MAX_DESCRIBED = 5

const TYPED = 0

function isOwn(shape: z.ZodType, name: ChoiceName, { path, kind, value }: Deviation): boolean {
  if (path.length === 0 || !isChangedBy(shape, name, path)) return false
  // An absent value says nothing about the form of a value that is there.
  if (name !== 'absentValues' && (kind === 'null' || kind === 'missing' || value === '')) return false
  return name !== 'absentValues' || kind === 'null'
}

/** Reports whether a text that may be absent is empty, which no schema rejects. */
function hasEmptyText(shape: z.ZodType, record: JsonObject): boolean {
  if (!(shape instanceof z.ZodObject)) return false
  return Object.entries<z.ZodType>(shape.shape).some(
    ([name, field]) =>
      record[name] === '' && getProvenance(field)?.['x-assumption'] === choices.absentValues.assumption,
  )
}

/** Notes are text only if every signal has some. Source: assumption A-41. */
export function compareNotes(shown: readonly ShownRecords[], evidence: Evidence): void {
  const signals = shown.filter(({ shape }) => shape === Signal)
  const isNull = signals.some(({ records }) => records.some(({ notes }) => notes === null))
  for (const { answer, records } of signals) {
    const [nulls, texts] = [null, 'string'].map(
      (type) => records.filter(({ notes }) => notes === type || typeof notes === type).length,
    )
    if (nulls) evidence.add('signalNotes', [0], answer, nulls)
    else if (texts && !isNull) evidence.add('signalNotes', [1], answer, texts)
  }
}

/** A text that only a code is, and one that no code is. Source: assumption A-37. */
const [CODE, WORD] = [/^(?=.*(?:_|[A-Z]{4}))[^a-z -]+$/, /[a-z -]/]

export function compareOpenStrings(shown: readonly ShownRecords[], evidence: Evidence): void {
  const texts = shown.map(({ answer, shape, records }) => {
    const paths = findOpenStrings(shape)
    const values = records.map((record) => paths.flatMap((path) => readTexts(record, path)))
    return { answer, values }
  })
  const isWord = texts.some(({ values }) => values.flat().some((text) => WORD.test(text)))
  for (const { answer, values } of texts) {
    const pattern = isWord ? WORD : CODE
    const records = values.filter((one) => one.some((text) => pattern.test(text))).length
    if (records > 0) evidence.add('openStrings', [isWord ? 0 : 1], answer, records)
  }
}

const openStrings = new WeakMap<z.ZodType, readonly (readonly string[])[]>()

function findOpenStrings(shape: z.ZodType): readonly (readonly string[])[] {
  return getOrCreate(openStrings, shape, () =>
    isChangedBy(shape, 'openStrings', []) ? findIn(shape, []) : [],
  )
}

function findIn(schema: unknown, path: readonly string[]): (readonly string[])[] {
  if (schema instanceof z.ZodString) return isChangedBy(schema, 'openStrings', []) ? [path] : []
  if (schema instanceof z.ZodArray) return findIn(schema.element, [...path, '[]'])
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries<z.ZodType>(schema.shape).flatMap(([name, field]) => findIn(field, [...path, name]))
}

function readTexts(value: unknown, [key, ...rest]: readonly string[]): string[] {
  if (key === undefined) return typeof value === 'string' ? [value] : []
  if (key === '[]') return Array.isArray(value) ? value.flatMap((part) => readTexts(part, rest)) : []
  return isObject(value) ? readTexts(value[key], rest) : []
}
