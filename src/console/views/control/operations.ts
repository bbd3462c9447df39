import { readDocument } from '../../client.ts'
import { useRead } from '../../components/use-calls.ts'

/** An operation of the service. */
export interface Operation {
  readonly id: string
  readonly method: string
  /** With parameters as `{customerId}`. */
  readonly path: string
}

/** Reads the operations of the service; empty until then. Order: as documented. */
export function useOperations(): readonly Operation[] {
  const { value } = useRead(readDocument)
  return Object.entries(value?.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId: id }]) => ({
      id,
      method: method.toUpperCase(),
      path,
    })),
  )
}
