import * as z from 'zod'

import type { AssumptionId } from './assumptions.ts'
import { idParameter } from './fields.ts'
import { assumed, documented } from './provenance.ts'

/** The parameters of a path: `organizationId` is a string, every other one an integer id. */
export type PathParameters<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: K extends 'organizationId' ? string : number } & PathParameters<Rest>
  : unknown

/** The form of a response: a record; all records as an array or in an envelope; a page of them in an envelope or as an array. */
export type ReturnKind = 'one' | 'list' | 'envelope' | 'page' | 'slice'

export interface Operation {
  readonly id: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly summary: string
  readonly tag: string
  readonly query: z.ZodObject
  readonly body: z.ZodType | undefined
  readonly returns: ReturnKind
  readonly shape: z.ZodType
  readonly status: 200 | 201
  readonly assumes: AssumptionId | undefined
}

export function listPathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
}

/** Creates the schema of a path's parameters. Source: Endpoints, first paragraph. */
export function createPathSchema(path: string): z.ZodObject {
  const organizationId = documented(z.string().min(1), 'Endpoints, organizationId')
  return z.object(
    Object.fromEntries(
      listPathNames(path).map((name) => [name, name === 'organizationId' ? organizationId : idParameter]),
    ),
  )
}

export function responseSchema(operation: Operation): z.ZodType {
  const { shape, assumes } = operation
  if (operation.returns === 'one') return shape
  const mark = <T extends z.ZodType>(schema: T): T =>
    assumes ? assumed(schema, assumes) : documented(schema, 'List envelope')
  if (operation.returns === 'list' || operation.returns === 'slice') return mark(z.array(shape))
  return mark(z.object({ items: mark(z.array(shape)), totalCount: mark(z.number()) }))
}
