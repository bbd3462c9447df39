import type { Row } from '../../src/store/tables.ts'
import type { Reader } from '../../src/store/texts.ts'
import { SLOTS, computeId, computeSlotId, getOrdinal } from './ids.ts'

/** A reader of one customer's data, which can also list rows that were added after the dataset's time. */
export interface CustomerReader extends Reader {
  listRows<T extends 'signals' | 'meetings' | 'notes'>(table: T): readonly Row<T>[]
}

/** Lists the rows in the slots of a customer, or all of them if the reader can. Order: by id. */
export function listCustomerRows<T extends 'signals' | 'meetings' | 'notes'>(
  table: T,
  customer: Row<'customers'>,
  data: Reader | CustomerReader,
): Row<T>[] {
  if ('listRows' in data) return [...data.listRows(table)]
  return Array.from({ length: SLOTS }, (_, index) => data.get(table, computeSlotId(customer.id, index + 1)))
    .filter((row) => row !== undefined)
    .filter((row) => row.customerId === customer.id)
}

type WithFields = Pick<Row<'customers'>, 'customFields'>

const readField = ({ customFields }: WithFields, name: string): unknown =>
  customFields.find(({ key }) => key === name)?.value

export function readText(customer: WithFields, name: string): string | undefined {
  const value = readField(customer, name)
  return typeof value === 'string' ? value : undefined
}

export function readNumber(customer: WithFields, name: string): number | undefined {
  const value = readField(customer, name)
  return typeof value === 'number' ? value : undefined
}

const PLACES = 30

/** Finds the definition with a key; undefined if it is outside of the blocks that are searched. */
export function findDefinition<T extends 'products' | 'memberRoles'>(
  table: T,
  key: string,
  customer: Row<'customers'>,
  data: Reader,
): Row<T> | undefined {
  for (const block of [getOrdinal('customers', customer.id), 0, 1, 2, 3]) {
    for (let place = 1; place <= PLACES; place += 1) {
      const row = data.get(table, computeId('definitions', block, place))
      if (row?.key === key && row.organizationId === customer.organizationId) return row
    }
  }
  return undefined
}
