import { describe, expect, it } from 'vitest'

import { findWorkplace } from '../../seed/people/offices.ts'
import { allTenants, hadContract, isAtWork, isGenerated } from './tenants.ts'

describe.each(allTenants)('$name', (tenant) => {
  const { rows, seed, get } = tenant
  const notes = rows.notes.filter(isGenerated)

  it('notes are written and changed on working days, in working hours', () => {
    const wrong = notes.filter(({ createdDate, updatedDate, createdById }) => {
      const office = findWorkplace({ id: createdById })
      return !isAtWork(createdDate, office) || !isAtWork(updatedDate, office)
    })
    expect(notes.length).toBeGreaterThan(20)
    expect(wrong).toEqual([])
  })

  it('a note on a customer is about a product that it had at that time', () => {
    const wrong = notes.filter((note) => {
      const customer = get('customers', note.customerId)
      if (!customer?.products.some((entry) => hadContract(customer, entry, note.createdDate, seed)))
        return false
      return rows.products.some(
        (product) =>
          product.organizationId === note.organizationId &&
          new RegExp(`\\b(?:for|in|of|about|with|use|to|see) ${product.name}\\b(?! &)`).test(note.content) &&
          !customer.products.some(
            (entry) => entry.key === product.key && hadContract(customer, entry, note.createdDate, seed),
          ),
      )
    })
    expect(wrong.map(({ content }) => content)).toEqual([])
  })
})
