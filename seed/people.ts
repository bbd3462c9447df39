import type { Faker } from '@faker-js/faker'
import { faker as de } from '@faker-js/faker/locale/de'
import { faker as en } from '@faker-js/faker/locale/en'
import { faker as en_AU } from '@faker-js/faker/locale/en_AU'
import { faker as en_IN } from '@faker-js/faker/locale/en_IN'
import { faker as en_ZA } from '@faker-js/faker/locale/en_ZA'
import { faker as es } from '@faker-js/faker/locale/es'
import { faker as es_MX } from '@faker-js/faker/locale/es_MX'
import { faker as fr } from '@faker-js/faker/locale/fr'
import { faker as it } from '@faker-js/faker/locale/it'
import { faker as nl } from '@faker-js/faker/locale/nl'
import { faker as pl } from '@faker-js/faker/locale/pl'
import { faker as pt_BR } from '@faker-js/faker/locale/pt_BR'
import { faker as sv } from '@faker-js/faker/locale/sv'

import { createPool, type FakerPool } from './fakers.ts'

/** The name of a person. */
export interface PersonName {
  readonly firstName: string
  readonly lastName: string
}

const english = createPool(en)

/** The Fakers of people by country. */
const locales: ReadonlyMap<string, FakerPool<Faker>> = new Map([
  ['Spain', createPool(es)],
  ['Mexico', createPool(es_MX)],
  ['Brazil', createPool(pt_BR)],
  ['Germany', createPool(de)],
  ['France', createPool(fr)],
  ['Netherlands', createPool(nl)],
  ['Sweden', createPool(sv)],
  ['Poland', createPool(pl)],
  ['Italy', createPool(it)],
  ['India', createPool(en_IN)],
  ['Australia', createPool(en_AU)],
  ['South Africa', createPool(en_ZA)],
])

/** Finds the Fakers of people from a country. */
export const findLocale = (country: string): FakerPool<Faker> => locales.get(country) ?? english

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
