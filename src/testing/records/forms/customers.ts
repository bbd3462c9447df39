import * as z from 'zod'

import { recordId } from '../../../contract/fields.ts'
import { removeUndefined } from '../../../core/json.ts'
import { lazyStrictObject } from '../../../core/lazy-schema.ts'
import { Member } from '../../../service/members.ts'
import type { Row } from '../../../store/tables.ts'
import { customers } from '../../../store/tables/customers.ts'
import { inputFields, recordInput, type DraftContext, recordForm } from './form.ts'

type Product = Row<'customers'>['products'][number]

const roleInput = lazyStrictObject(() => ({
  key: z.string(),
  /** Ignored, because it comes from the definition. */
  name: z.string().optional(),
  members: z.array(recordInput(Member)).optional(),
  memberIds: z.array(recordId).optional(),
}))

/** A product of a customer. Missing fields stay as they are, or are copied from another customer. */
const productInput = lazyStrictObject(() => ({
  ...customers.row.shape.products.element.omit({ key: true }).partial().shape,
  key: z.string(),
}))

/** A customer. Roles name members by id: `members: [3]`, `members: [{ id: 3 }]` or `memberIds: [3]`. */
export const customerForm = recordForm('customers', {
  operation: 'getCustomer',
  input: lazyStrictObject(() => ({
    ...inputFields('customers'),
    memberRoles: z.array(roleInput).optional(),
    products: z.array(productInput).optional(),
  })),
  toFields: ({ memberRoles, products, ...rest }, context) => ({
    ...rest,
    memberRoles: memberRoles?.map(({ key, members, memberIds }, index) => {
      const path = `memberRoles[${index}]`
      if (!members && !memberIds) context.reject(`${path}.members`, 'is required')
      if (members && memberIds && String(members) !== String(memberIds)) {
        context.reject(`${path}.memberIds`, 'differs from members. Send only one of them.')
      }
      return { key, memberIds: members ?? memberIds ?? [] }
    }),
    products: products?.map((product) => ({ ...findProduct(product, context), ...removeUndefined(product) })),
  }),
  defaults: (_, now) => ({ updatedDate: now }),
})

function findProduct(
  { key, status = 'active' }: z.output<typeof productInput>,
  { before, data, organizationId, now }: DraftContext<'customers'>,
): Product {
  const hasKey = (product: Product): boolean => product.key === key
  const current = before?.products.find(hasKey)
  if (current) return current
  const find = (matches: (product: Product) => boolean): Product | undefined =>
    data
      .select('customers', [['organizationId', organizationId]])
      .page()
      .find((row) => row.products.some(matches))
      ?.products.find(matches)
  const similar = find((product) => hasKey(product) && product.status === status) ?? find(hasKey)
  if (similar) return { ...similar, status }
  const renewalDate = new Date(Date.parse(now) + 180 * 86_400_000).toISOString().slice(0, 10)
  const [engagement, upsell] = [{ level: 'medium' }, { level: 'low' }]
  return { key, status, arr: 12_000, renewalDate, engagement, upsell, metrics: [] }
}
