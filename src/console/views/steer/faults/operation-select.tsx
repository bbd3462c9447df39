import { Select, type SelectProps } from '../../../parts/select.tsx'
import { useOperations } from './operations.ts'

/** Chooses an operation; empty for any. */
export function OperationSelect(props: Omit<SelectProps, 'options'>) {
  const operations = useOperations().map(({ id }) => [id, id] as const)
  return <Select {...props} options={{ '': 'any operation', ...Object.fromEntries(operations) }} />
}
