import { describe, expect, it } from 'vitest'

import { nameLists } from '../../seed/people/name-lists.ts'
import { allTenants, expectNone, groupBy, isGenerated } from './tenants.ts'

interface Person {
  readonly firstName: string
  readonly lastName: string
}

/** The lists of names by country. */
const countries: Readonly<Record<string, keyof typeof nameLists>> = {
  'United States': 'american',
  Canada: 'american',
  Mexico: 'mexican',
  Brazil: 'brazilian',
  'United Kingdom': 'british',
  Ireland: 'british',
  Germany: 'german',
  France: 'french',
  Spain: 'spanish',
  Netherlands: 'dutch',
  Sweden: 'swedish',
  Poland: 'polish',
  Italy: 'italian',
  India: 'indian',
  Japan: 'japanese',
  Australia: 'australian',
  'South Africa': 'southAfrican',
}

interface LastNames {
  readonly generic?: readonly string[]
  readonly female?: readonly string[]
  readonly male?: readonly string[]
}

/** Checks that the first and the last name are those of a woman, or those of a man, in a country. */
function fits({ firstName, lastName }: Person, country: string): boolean {
  const list = nameLists[countries[country] ?? 'american']
  const last: LastNames = list.last_name
  const hasTwo = 'last_name_pattern' in list
  return (['female', 'male'] as const).some((sex) => {
    const known = last[sex] ?? last.generic ?? []
    const isKnown = hasTwo
      ? known.some(
          (name) => lastName.startsWith(`${name} `) && known.includes(lastName.slice(name.length + 1)),
        )
      : known.includes(lastName)
    return isKnown && list.first_name[sex].includes(firstName)
  })
}

describe.each(allTenants)('$name', ({ rows, get }) => {
  const people = rows.meetings
    .filter(isGenerated)
    .flatMap(({ customerId, contacts }) => contacts.map((person) => ({ customerId, ...person })))

  it('contacts have names of their country, and first and last name agree in sex', () =>
    expectNone(people, (person) => !fits(person, get('customers', person.customerId)?.country ?? '')))

  it('contacts of a customer share neither first nor last names', () =>
    expectNone([...groupBy(people, ({ customerId }) => customerId).values()], (own) => {
      const each = [...new Map(own.map((person) => [person.id, person])).values()]
      const names = each.flatMap(({ firstName, lastName }) => [firstName, lastName])
      return new Set(names).size < names.length
    }))
})

it('no list has a name twice, and each has enough names', () => {
  for (const { first_name, last_name } of Object.values(nameLists)) {
    const groups: string[][] = [first_name.female, first_name.male, ...Object.values(last_name)]
    for (const names of groups) {
      expect(names.length).toBeGreaterThan(20)
      expect(new Set(names).size).toBe(names.length)
    }
  }
})
