import * as z from 'zod'

import { recordId } from '../../contract/fields.ts'
import { lazyStrictObject } from '../../core/lazy-schema.ts'

export type Key = string | number | boolean

export type IndexBy<R> = (row: R) => Key | readonly Key[]

export interface TableDefinition<S extends z.ZodObject, I extends string> {
  readonly noun: string
  /** The stored form of a record: normalised, `null` for absent values, references by id or by key. */
  readonly row: S
  /** Whether lists begin with the newest row; by default, they are ordered by id. Source: assumptions. */
  readonly isNewestFirst?: true
  /** The keys by which rows are found; each plain field is one as it is. */
  readonly indexes?: Readonly<Record<I, IndexBy<z.infer<S>>>>
  readonly unique?: readonly (keyof z.infer<S> & string)[]
  readonly hasIdsByOrganization?: boolean
  /** Lists of dates, each in the order in which they must be. */
  readonly dates?: readonly (readonly (keyof z.infer<S> & string)[])[]
  /** Finds contradictions other than of dates. */
  findContradictions?(row: z.infer<S>): readonly Contradiction[]
  /** A long text that is generated when it is read, unless the row has one. */
  readonly longText?: keyof z.infer<S> & string
}

export interface Contradiction {
  readonly path: string
  readonly message: string
}

export function defineTable<S extends z.ZodObject, I extends string = never>(
  definition: TableDefinition<S, I>,
): TableDefinition<S, I> {
  return definition
}

interface Reference {
  readonly table: string
  readonly by: 'id' | 'key'
  /** Whether the row is part of that record: it is created under it and deleted with it. */
  readonly isPart: boolean
}

const references = z.registry<Reference>()

export const reference = (table: string): z.ZodInt =>
  recordId.clone().register(references, { table, by: 'id', isPart: false })

export const partOf = (table: string): z.ZodInt =>
  recordId.clone().register(references, { table, by: 'id', isPart: true })

export const keyReference = (table: string): z.ZodString =>
  z.string().register(references, { table, by: 'key', isPart: false })

export interface ReferenceField extends Reference {
  /** Field names, and `[]` for each item of a list. */
  readonly path: readonly string[]
  readonly isOptional: boolean
}

export function findReferences(
  schema: unknown,
  path: readonly string[] = [],
  isOptional = false,
): ReferenceField[] {
  if (schema instanceof z.ZodNullable) return findReferences(schema.unwrap(), path, true)
  if (schema instanceof z.ZodArray) return findReferences(schema.element, [...path, '[]'])
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, field]) => findReferences(field, [...path, name]))
  }
  const marked = schema instanceof z.ZodType ? references.get(schema) : undefined
  return marked ? [{ ...marked, path, isOptional }] : []
}

export const recordFields = { id: recordId, organizationId: z.string().min(1) }

export const lookupValue = lazyStrictObject(() => ({ id: recordId, name: z.string() }))
