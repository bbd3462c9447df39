import { useMemo } from 'preact/hooks'

import { readDocument, castResponse } from '../../../client.ts'
import { Select, type SelectProps } from '../../../components/form.tsx'
import { useRead } from '../../../components/use-calls.ts'

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

/** Loads the operations of the service; empty until then. Order: as documented. */
export function useOperations(): readonly Operation[] {
  const { value: document } = useRead(castResponse<Document>(readDocument))
  return useMemo(() => (document ? parseOperations(document) : []), [document])
}

function parseOperations({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId: id }]) =>
      id === undefined ? [] : [{ id, method: method.toUpperCase(), path }],
    ),
  )
}

/** Renders a select of operations; empty for any. */
export function OperationSelect(props: Omit<SelectProps, 'options'>) {
  const operations = useOperations().map(({ id }) => [id, id] as const)
  return <Select {...props} options={{ '': 'any operation', ...Object.fromEntries(operations) }} />
}
