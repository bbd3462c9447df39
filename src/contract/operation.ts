import * as z from 'zod'

import type { AssumptionId } from './assumptions.ts'
import { idParameter } from './fields.ts'
import { assumed, documented } from './provenance.ts'
import type { QueryContract } from './query.ts'

/** The parameters in a path template: `organizationId` is text, every other one an integer id. */
export type PathParameters<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: K extends 'organizationId' ? string : number } & PathParameters<Rest>
  : unknown

/**
 * What an operation answers: one record; all that match, in a bare list or in an envelope; a page of them, in an
 * envelope or as a bare slice.
 */
export type ReturnKind = 'one' | 'list' | 'envelope' | 'page' | 'slice'

/** One row of the document's endpoint table, as a value. */
export interface Operation {
  /** The document's operation id. */
  readonly id: string
  readonly method: 'GET' | 'POST'
  /** The path as the document prints it. */
  readonly path: string
  readonly summary: string
  readonly tag: string
  readonly query: QueryContract
  /** Undefined for the operations without a request body. */
  readonly body: z.ZodType | undefined
  readonly returns: ReturnKind
  readonly shape: z.ZodType
  /** Of the answer to what went well. */
  readonly status: 200 | 201
  /** The assumption that decides the answer's outer form; undefined where the document shows it. */
  readonly assumes: AssumptionId | undefined
}

/** The names in a path template, in order. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
}

/** The schema of a path's parameters. Source: Endpoints, first paragraph. */
export function pathSchema(path: string): z.ZodObject {
  const organizationId = documented(z.string().min(1), 'Endpoints, organizationId')
  return z.object(
    Object.fromEntries(
      pathNames(path).map((name) => [name, name === 'organizationId' ? organizationId : idParameter]),
    ),
  )
}

/** The schema of what an operation answers where all went well. */
export function answerSchema(operation: Operation): z.ZodType {
  const { shape, assumes } = operation
  if (operation.returns === 'one') return shape
  const mark = <T extends z.ZodType>(schema: T): T =>
    assumes ? assumed(schema, assumes) : documented(schema, 'List envelope')
  if (operation.returns === 'list' || operation.returns === 'slice') return mark(z.array(shape))
  return mark(z.object({ items: mark(z.array(shape)), totalCount: mark(z.number()) }))
}
