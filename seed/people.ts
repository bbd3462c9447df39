import { type Faker, type Randomizer } from '@faker-js/faker'
import { faker as english } from '@faker-js/faker/locale/en'

import { namesByCountry } from './names.ts'
import { Random } from './random.ts'

/** What a person is called. */
export interface PersonName {
  readonly firstName: string
  readonly lastName: string
}

const drawFrom: Randomizer & { source: Random } = {
  source: new Random(0, 1),
  next: () => drawFrom.source.next(),
  seed: () => undefined,
}

/**
 * A private Faker that draws from whatever stream is handed to it.
 * DECISION: made of the class behind `locale/en`, because the door that exports the class loads every locale,
 * five times the start-up. Revisit when Faker exports the class by itself.
 */
const faker: Faker = Reflect.construct(english.constructor, [
  { locale: [english.rawDefinitions], randomizer: drawFrom },
])

/** A person from a country; names of English-speaking countries are Faker's. */
export function personFrom(random: Random, country: string): PersonName {
  const names = namesByCountry.get(country)
  if (names) return { firstName: random.pick(names.first), lastName: random.pick(names.last) }
  drawFrom.source = random
  return { firstName: faker.person.firstName(), lastName: faker.person.lastName() }
}

/** The address of a person at a domain: `mara.ellis@harboranalytics.example`. */
export function emailOf({ firstName, lastName }: PersonName, domain: string): string {
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
