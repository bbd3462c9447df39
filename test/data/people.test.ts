import { describe, expect, it } from 'vitest'

import { nameLists } from '../../seed/people/name-lists.ts'
import { allTenants, fullName, isGenerated } from './tenants.ts'

interface Person {
  readonly id: number
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
  const meetings = rows.meetings.filter(isGenerated)

  it('contacts have names of their country, and first and last name agree in sex', () => {
    const wrong = meetings.flatMap(({ customerId, contacts }) => {
      const country = get('customers', customerId)?.country ?? ''
      return contacts
        .filter((person) => !fits(person, country))
        .map((person) => `${fullName(person)}, ${country}`)
    })
    expect([...new Set(wrong)]).toEqual([])
  })

  it('contacts of a customer share neither first nor last names', () => {
    const known = new Map<number, Map<number, Person>>()
    for (const { customerId, contacts } of meetings) {
      const people = known.get(customerId) ?? new Map<number, Person>()
      for (const contact of contacts) people.set(contact.id, contact)
      known.set(customerId, people)
    }
    const wrong = [...known.values()].flatMap((people) => {
      const names = [...people.values()].flatMap(({ firstName, lastName }) => [firstName, lastName])
      return new Set(names).size < names.length ? [[...people.values()].map(fullName)] : []
    })
    expect(wrong).toEqual([])
  })
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
