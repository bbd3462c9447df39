import type { Faker } from '@faker-js/faker'

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

const american = createPool({ person: nameLists.american })
const british = createPool({ person: nameLists.british })

const locales: ReadonlyMap<string, FakerPool<Faker>> = new Map([
  ['United States', american],
  ['Canada', american],
  ['Mexico', createPool({ person: nameLists.mexican })],
  ['Brazil', createPool({ person: nameLists.brazilian })],
  ['United Kingdom', british],
  ['Ireland', british],
  ['Germany', createPool({ person: nameLists.german })],
  ['France', createPool({ person: nameLists.french })],
  ['Spain', createPool({ person: nameLists.spanish })],
  ['Netherlands', createPool({ person: nameLists.dutch })],
  ['Sweden', createPool({ person: nameLists.swedish })],
  ['Poland', createPool({ person: nameLists.polish })],
  ['Italy', createPool({ person: nameLists.italian })],
  ['India', createPool({ person: nameLists.indian })],
  ['Japan', createPool({ person: nameLists.japanese })],
  ['Australia', createPool({ person: nameLists.australian })],
  ['South Africa', createPool({ person: nameLists.southAfrican })],
])

export const findLocale = (country: string): FakerPool<Faker> => locales.get(country) ?? american
