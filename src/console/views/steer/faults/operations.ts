import { useMemo } from 'preact/hooks'

import { useOnce } from '../use-once.ts'

/** An operation of the service. */
export interface Operation {
  readonly id: string
  readonly method: string
  /** With parameters as `{customerId}`. */
  readonly path: string
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>
}

/** Every operation of the service; none until they are known. Order: the document's. */
export function useOperations(): readonly Operation[] {
  const { value: document } = useOnce<Document>('/openapi.json')
  return useMemo(() => (document ? operationsIn(document) : []), [document])
}

function operationsIn({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId: id }]) =>
      id === undefined ? [] : [{ id, method: method.toUpperCase(), path }],
    ),
  )
}
