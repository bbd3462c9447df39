import type { Faker, PersonDefinition } from '@faker-js/faker'

import { countries } from '../calendar/places.ts'
import { createPool, type FakerPool } from '../random/record-key.ts'
import type { PersonName } from '../texts/format.ts'
import { nameLists } from './name-lists.ts'

export function generatePerson(faker: Faker): PersonName {
  const sex = faker.person.sexType()
  const firstName = faker.person.firstName(sex)
  let lastName = faker.person.lastName(sex)
  for (let tries = 0; tries < 9 && lastName === firstName; tries += 1) lastName = faker.person.lastName(sex)
  return { firstName, lastName }
}

/** Generates a person of other names than those that are taken, if some are found soon. */
export function generateOther(faker: Faker, isTaken: (name: string) => boolean): PersonName {
  let person = generatePerson(faker)
  for (let tries = 0; tries < 20 && (isTaken(person.firstName) || isTaken(person.lastName)); tries += 1)
    person = generatePerson(faker)
  return person
}

export function createEmail({ firstName, lastName }: PersonName, domain: string): string {
  return `${toMailbox(firstName)}.${toMailbox(lastName)}@${domain}`
}

const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', ð: 'd', þ: 'th' }

function toMailbox(name: string): string {
  const lower = name.toLowerCase()
  if (/^[a-z]+$/.test(lower)) return lower
  const plain = lower
    .replace(/[ßłøæðþ]/g, (letter) => LETTERS[letter] ?? '')
    .normalize('NFD')
    .replace(/[^a-z0-9-]/g, '')
  return plain || 'mail'
}

const lists: ReadonlyMap<string, PersonDefinition> = new Map(Object.entries(nameLists))

const american = createPool({ person: nameLists.american })

const locales: ReadonlyMap<string, FakerPool<Faker>> = new Map(
  countries.map(({ name, names }) => [name, createPool({ person: lists.get(names) ?? {} })]),
)

export const findLocale = (country: string): FakerPool<Faker> => locales.get(country) ?? american
