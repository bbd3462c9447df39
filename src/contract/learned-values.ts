import * as z from 'zod'

import { isObject } from '../core/json.ts'

export type LearnedValues = Readonly<Record<string, unknown>>

export const learnedValues: z.ZodType<LearnedValues> = z.record(z.string(), z.unknown())

/** The keys of a record's row and of its learned values, in its default form; not part of the JSON. */
const [rowKey, learnedKey] = [Symbol('row'), Symbol('learned values')]

export const withRow = (record: unknown, row: object): unknown =>
  isObject(record) ? { ...record, [rowKey]: row } : record

export function readLearned(record: unknown): LearnedValues | undefined {
  const values: unknown = isObject(record) ? Reflect.get(record, learnedKey) : undefined
  return isObject(values) ? values : undefined
}

export function keepLearned(values: LearnedValues = {}): { readonly learned?: LearnedValues } {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined)
  return kept.length > 0 ? { learned: Object.fromEntries(kept) } : {}
}

export const withLearned = (record: object, values: LearnedValues): object => ({
  ...record,
  [learnedKey]: values,
})

export const readRow = (record: object): Readonly<Record<string, unknown>> =>
  Object(Reflect.get(record, rowKey))
