import type { Faker } from '@faker-js/faker'

/** The name of a person. */
export interface PersonName {
  readonly firstName: string
  readonly lastName: string
}

/** Generates the name of a person. */
export function generatePerson(faker: Faker): PersonName {
  const sex = faker.person.sexType()
  return { firstName: faker.person.firstName(sex), lastName: faker.person.lastName(sex) }
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
