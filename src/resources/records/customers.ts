import * as z from 'zod'

import { anyValue, recordId } from '../../contract/fields.ts'
import { CustomerRow, productStatuses } from '../../store/rows.ts'
import type { Row } from '../../store/tables.ts'
import { Customer } from '../customers.ts'
import { Member } from '../members.ts'
import { type Among, known, recordForm } from './form.ts'
import { dateInput, instantInput, owned, reference } from './input.ts'

type Entry = Row<'customers'>['products'][number]
type Role = Row<'customers'>['memberRoles'][number]

const keyedValue = z.strictObject({ key: z.string().min(1), value: anyValue })
const level = z.strictObject({ level: z.string() })

const roleInput = z.strictObject({
  key: z.string(),
  /** Not looked at: the definition has it. */
  name: z.string().optional(),
  members: z.array(reference(Member)).optional(),
  memberIds: z.array(recordId).optional(),
})

/** A product of a customer; what is not given is as the customer has it, or as another customer does. */
const productInput = z
  .strictObject({
    status: z.enum(productStatuses),
    arr: z.number(),
    renewalDate: dateInput,
    engagement: level,
    upsell: level,
    metrics: z.array(keyedValue),
  })
  .partial()
  .extend({ key: z.string() })

/** A customer. Members hold roles by id: `members: [3]`, `members: [{ id: 3 }]` or `memberIds: [3]`. */
export const customerForm = recordForm({
  table: 'customers',
  row: CustomerRow,
  operation: 'getCustomer',
  shape: Customer,
  extras: ({ organizationId }) => ({ organizationId }),
  input: z
    .strictObject({
      ...owned,
      name: z.string(),
      city: z.string(),
      country: z.string(),
      region: z.string(),
      timezone: z.string(),
      domain: z.string(),
      employeeCount: z.int().nonnegative(),
      segment: z.string(),
      memberRoles: z.array(roleInput),
      customFields: z.array(keyedValue),
      products: z.array(productInput),
      sources: z.array(z.strictObject({ key: z.string().min(1), externalId: z.string().min(1) })),
      updatedDate: instantInput,
    })
    .partial(),
  fields: ({ memberRoles, products, ...rest }, among) =>
    known({
      ...rest,
      memberRoles: memberRoles?.map((role, index) => roleOf(role, `memberRoles[${index}]`, among)),
      products: products?.map((product) => ({ ...entryLike(product, among), ...known(product) })),
    }),
  stamps: (_, now) => ({ updatedDate: now }),
})

function roleOf(
  { key, members, memberIds }: z.output<typeof roleInput>,
  path: string,
  { refuse }: Among<'customers'>,
): Role {
  if (!members && !memberIds) refuse(`${path}.members`, 'is required')
  if (members && memberIds && String(members) !== String(memberIds)) {
    refuse(`${path}.memberIds`, 'names others than members. Give one of the two.')
  }
  return { key, memberIds: members ?? memberIds ?? [] }
}

/** The entry of a product that a customer has already; else one of another customer, in the same status if there is one. */
function entryLike(product: z.output<typeof productInput>, among: Among<'customers'>): Entry {
  const { key, status = 'active' } = product
  const isOf = (entry: Entry): boolean => entry.key === key
  const own = among.before?.products.find(isOf)
  if (own) return own
  const { data, organizationId, now } = among
  const others = (keep: (entry: Entry) => boolean): Entry | undefined =>
    data
      .select('customers', [['organizationId', organizationId]], (row) => row.products.some(keep))
      .page(0, 1)[0]
      ?.products.find(keep)
  const found = others((entry) => isOf(entry) && entry.status === status) ?? others(isOf)
  if (found) return { ...found, status }
  const [engagement, upsell] = [{ level: 'medium' }, { level: 'low' }]
  return { key, status, arr: 12_000, renewalDate: halfAYearAfter(now), engagement, upsell, metrics: [] }
}

const halfAYearAfter = (now: string): string =>
  new Date(Date.parse(now) + 180 * 86_400_000).toISOString().slice(0, 10)
