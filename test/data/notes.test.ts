import { describe, expect, it } from 'vitest'

import { createTenant } from '../../seed/dataset/tenant.ts'
import { findWorkplace } from '../../seed/people/offices.ts'
import { createLookup, generated } from './generated.ts'
import {
  allTenants,
  countEach,
  fullName,
  hadContract,
  isAtWork,
  isGenerated,
  now,
  type Tenant,
} from './tenants.ts'

describe.each(allTenants)('$name', (tenant) => {
  const { rows, seed, get } = tenant
  const notes = rows.notes.filter(isGenerated)
  const isLarge = notes.length > 500

  it('notes are written and changed on working days, in working hours', () => {
    const wrong = notes.filter(({ createdDate, updatedDate, createdById }) => {
      const office = findWorkplace({ id: createdById })
      return !isAtWork(createdDate, office) || !isAtWork(updatedDate, office)
    })
    expect(notes.length).toBeGreaterThan(20)
    expect(wrong).toEqual([])
  })

  it.runIf(isLarge)('no sentence, facts taken out, is in more than 2 % of the notes', () => {
    const sentences = listSentences(tenant)
    const counts = countEach(sentences.filter((sentence) => /[a-z]{3}/.test(sentence)))
    const frequent = [...counts].filter(([, count]) => count > notes.length * 0.02)
    expect(counts.size).toBeGreaterThan(100)
    expect(frequent).toEqual([])
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

const words =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday)\b|\$?\d[\d,.]*\d|\d/g

/** Lists the sentences of notes without the names, figures and words of products in them. */
function listSentences(tenant: Tenant): string[] {
  const { seed, rows } = tenant
  const accounts = createTenant({ seed, now, data: createLookup(generated(tenant)) })
  return rows.notes.filter(isGenerated).flatMap(({ content, customerId }) => {
    const account = accounts.findAccount(1, customerId)
    const facts = [
      ...account.contacts.flatMap(({ name, title, person }) => [name, title, person.firstName]),
      ...account.catalog.products.flatMap(({ row, plan }) => [
        row.name,
        plan.users,
        plan.activity,
        plan.purpose,
        ...plan.wishes,
        ...plan.troubles,
      ]),
      ...rows.members.map(fullName),
      account.name,
      account.customer.city,
    ].toSorted((a, b) => b.length - a.length)
    const masked = facts.reduce((text, fact) => text.replaceAll(fact, '_'), content)
    return masked.replaceAll(words, '_').split(/(?<=[.!?]"?) /)
  })
}
