import { type Faker, type Randomizer } from '@faker-js/faker'
import { faker as english } from '@faker-js/faker/locale/en'

import { namesByCountry } from './names.ts'
import { Random } from './random.ts'

/** The name of a person. */
export interface PersonName {
  readonly firstName: string
  readonly lastName: string
}

const generateFrom: Randomizer & { source: Random } = {
  source: new Random(0, 1),
  next: () => generateFrom.source.next(),
  seed: () => undefined,
}

/**
 * A private Faker that takes its randomness from the current stream.
 * DECISION: constructed from the class behind `locale/en`, because the entry point that exports the class loads every
 * locale and takes five times as long to start. Revisit when Faker exports the class by itself.
 */
const faker: Faker = Reflect.construct(english.constructor, [
  { locale: [english.rawDefinitions], randomizer: generateFrom },
])

/** Generates a person from a country; names from English-speaking countries are Faker's. */
export function generatePerson(random: Random, country: string): PersonName {
  const names = namesByCountry.get(country)
  if (names) return { firstName: random.pick(names.first), lastName: random.pick(names.last) }
  generateFrom.source = random
  return { firstName: faker.person.firstName(), lastName: faker.person.lastName() }
}

/** Creates the email address of a person at a domain, as in `mara.ellis@harboranalytics.example`. */
export function createEmail({ firstName, lastName }: PersonName, domain: string): string {
  return `${mailbox(firstName)}.${mailbox(lastName)}@${domain}`
}

const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', ð: 'd', þ: 'th' }

function mailbox(name: string): string {
  const lower = name.toLowerCase()
  if (/^[a-z]+$/.test(lower)) return lower
  const plain = lower
    .replace(/[ßłøæðþ]/g, (letter) => LETTERS[letter] ?? '')
    .normalize('NFD')
    .replace(/[^a-z0-9-]/g, '')
  return plain || 'mail'
}
