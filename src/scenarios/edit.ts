import { MAX_INTEGER } from '../contract/fields.ts'
import type { Stage } from '../records/stage.ts'
import type { Row } from '../store/tables.ts'

export const canEdit = ({ employeeCount }: Row<'customers'>): boolean => employeeCount < MAX_INTEGER

/** Changes a customer as a colleague would: one more employee. */
export function editCustomer(stage: Stage, customer: Row<'customers'>, updatedDate: string): void {
  const employeeCount = customer.employeeCount + 1
  stage.put('customers', customer.id, { ...customer, employeeCount, updatedDate })
}
