import { describe, it } from 'vitest'

import { findWorkplace } from '../../seed/people/offices.ts'
import { allTenants, expectNone, hadContract, isAtWork, isGenerated } from './tenants.ts'

describe.each(allTenants)('$name', (tenant) => {
  const { rows, seed, get } = tenant
  const notes = rows.notes.filter(isGenerated)

  it('notes are written and changed on working days, in working hours', () =>
    expectNone(notes, ({ createdDate, updatedDate, createdById }) => {
      const office = findWorkplace({ id: createdById })
      return !isAtWork(createdDate, office) || !isAtWork(updatedDate, office)
    }))

  it('a note on a customer is about a product that it had at that time', () =>
    expectNone(notes, ({ customerId, organizationId, createdDate, content }) => {
      const customer = get('customers', customerId)
      const had = customer?.products.filter((entry) => hadContract(customer, entry, createdDate, seed)) ?? []
      if (had.length === 0) return false
      return rows.products.some(
        (product) =>
          product.organizationId === organizationId &&
          new RegExp(`\\b(?:for|in|of|about|with|use|to|see) ${product.name}\\b(?! &)`).test(content) &&
          !had.some((entry) => entry.key === product.key),
      )
    }))
})
