import { isObject } from '../core/json.ts'
import type { OperationId } from '../resources/index.ts'
import type { Answer } from './answers.ts'
import { readBody } from './records.ts'

type Json = Readonly<Record<string, unknown>>

/** The answers so far. */
export class Seen {
  readonly answers: Answer[] = []

  /** Returns the records that an operation has shown, the latest answer last. */
  list(operation: OperationId): readonly Json[] {
    return this.answers
      .filter(({ endpoint }) => endpoint.id === operation)
      .flatMap((answer) => readBody(answer).records)
  }

  /** Returns the ids of the records that an operation has shown. */
  ids(operation: OperationId): readonly number[] {
    return this.list(operation).flatMap(({ id }) => (typeof id === 'number' ? [id] : []))
  }

  /** Returns the caller's organization. */
  get organizationId(): string {
    const id = this.list('getCurrentMember')[0]?.['organizationId']
    return typeof id === 'string' ? id : ''
  }
}

/** Lists the objects in a value that should be a list of them. */
export const listObjects = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter(isObject) : []
