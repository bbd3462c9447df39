import type { Faker, PersonDefinition } from '@faker-js/faker'
import { faker as de } from '@faker-js/faker/locale/de'
import { faker as de_CH } from '@faker-js/faker/locale/de_CH'
import { faker as en } from '@faker-js/faker/locale/en'
import { faker as en_AU } from '@faker-js/faker/locale/en_AU'
import { faker as en_IN } from '@faker-js/faker/locale/en_IN'
import { faker as en_ZA } from '@faker-js/faker/locale/en_ZA'
import { faker as es } from '@faker-js/faker/locale/es'
import { faker as es_MX } from '@faker-js/faker/locale/es_MX'
import { faker as fr } from '@faker-js/faker/locale/fr'
import { faker as fr_CH } from '@faker-js/faker/locale/fr_CH'
import { faker as it } from '@faker-js/faker/locale/it'
import { faker as nl } from '@faker-js/faker/locale/nl'
import { faker as nl_BE } from '@faker-js/faker/locale/nl_BE'
import { faker as pl } from '@faker-js/faker/locale/pl'
import { faker as pt_BR } from '@faker-js/faker/locale/pt_BR'
import { faker as pt_PT } from '@faker-js/faker/locale/pt_PT'
import { faker as sv } from '@faker-js/faker/locale/sv'

import japanese from '../texts/japanese-names.json' with { type: 'json' }
import { splitWords } from '../texts/templates.ts'

type NameList = Pick<PersonDefinition, 'first_name' | 'last_name' | 'last_name_pattern'>
type FirstNames = Record<'female' | 'male', string[]>

const listFirst = ({ rawDefinitions }: Faker): FirstNames => {
  const { female, male } = rawDefinitions.person?.first_name ?? {}
  return { female: female ?? [], male: male ?? [] }
}
const listLast = ({ rawDefinitions }: Faker): string[] => rawDefinitions.person?.last_name?.generic ?? []

const keepShared = (names: readonly string[], ...others: readonly string[][]): string[] => {
  const otherNames = new Set(others.flat())
  return names.filter((name) => otherNames.has(name))
}

const shareFirst = (faker: Faker, ...others: readonly Faker[]): FirstNames => {
  const lists = others.map((other) => listFirst(other))
  const { female, male } = listFirst(faker)
  return {
    female: keepShared(female, ...lists.map((list) => list.female)),
    male: keepShared(male, ...lists.map((list) => list.male)),
  }
}

const dropShared = (names: readonly string[], other: readonly string[]): string[] => {
  const otherNames = new Set(other)
  return names.filter((name) => !otherNames.has(name))
}

const addedLast = (faker: Faker): string[] => dropShared(listLast(faker), listLast(en))

/** Writes names such as Mccullough and Le gall as their owners do. */
const capitalize = (names: readonly string[]): string[] =>
  names.map((name) =>
    name.replace(
      /^(Mc|D[ae] |L[ae] )(\w)/,
      (_, start: string, letter: string) => start + letter.toUpperCase(),
    ),
  )

/** Keeps names of five or six letters: longer ones are often epithets of gods, and shorter ones English words. */
const keepPlain = (names: readonly string[]): string[] => names.filter((name) => /^\w{5,6}$/.test(name))

/** Sorts Polish surnames by sex: those that are adjectives, such as Kowalski and Górny, agree with it. */
function sortBySex(names: readonly string[]): { female: string[]; male: string[] } {
  const female = names.map((name) => name.replace(/(?<=[sc]k|dzk)i$|y$/, 'a'))
  const feminine = new Set(female.filter((name, index) => name !== names[index]))
  return { female: [...new Set(female)], male: names.filter((name) => !feminine.has(name)) }
}

const lists = (first_name: FirstNames, last: string[]) => ({
  first_name,
  last_name: { generic: last },
})

const SURNAME = '{{person.last_name.generic}}'
const twoSurnames = { generic: [{ value: `${SURNAME} ${SURNAME}`, weight: 1 }] }

const english = shareFirst(en, en_AU, en_ZA)
const british = capitalize(addedLast(en_AU))
const streets = en.rawDefinitions.location?.street_name ?? []
const { female, male } = listFirst(en)
const american = keepShared(keepShared(keepShared(listLast(en), listLast(en_AU)), listLast(en_ZA)), [
  ...female,
  ...male,
  ...streets.flatMap((street) => street.split(' ')),
])
const hispanic = listFirst(es)
const spanish = keepShared(listLast(es), listLast(es_MX))
const indian = listFirst(en_IN)

/**
 * The names of people, chosen from Faker's locales by rule: the names that a related locale has as well are in use, while
 * many others are ancient, invented or misspelt (Wandrille, Wisozk, Hernádez). The surnames of `en` are mostly such, so
 * English speakers have those that `en_AU` adds, and Americans also those that are shared and known as first names or
 * from streets.
 * NOTE: the builds embed the result, because the locales take longer to load than everything else.
 * DECISION: Japanese names are ours, because Faker has them in Japanese script only, and people who work with English
 * speakers write themselves in Latin letters. Revisit when Faker has them in Latin letters.
 */
export const nameLists = {
  american: lists(english, [...british, ...american]),
  british: lists(
    {
      female: dropShared(english.female, hispanic.female),
      male: dropShared(english.male, hispanic.male),
    },
    british,
  ),
  australian: lists(listFirst(en_AU), british),
  southAfrican: lists(listFirst(en_ZA), addedLast(en_ZA)),
  indian: lists({ female: keepPlain(indian.female), male: keepPlain(indian.male) }, addedLast(en_IN)),
  spanish: { ...lists(listFirst(es), spanish), last_name_pattern: twoSurnames },
  mexican: { ...lists(shareFirst(es_MX, es), spanish), last_name_pattern: twoSurnames },
  brazilian: lists(shareFirst(pt_BR, pt_PT), listLast(pt_PT)),
  german: lists(shareFirst(de, de_CH), keepShared(listLast(de), listLast(de_CH))),
  french: lists(shareFirst(fr, fr_CH, de_CH), capitalize(listLast(fr))),
  dutch: lists(shareFirst(nl, nl_BE), listLast(nl)),
  swedish: lists(listFirst(sv), listLast(sv)),
  polish: { first_name: shareFirst(pl, de, sv), last_name: sortBySex(listLast(pl)) },
  // A quarter of 2,170 surnames is enough.
  italian: lists(
    shareFirst(it, de, fr_CH),
    listLast(it).filter((_, index) => index % 4 === 0),
  ),
  japanese: lists(
    { female: splitWords(japanese.female), male: splitWords(japanese.male) },
    splitWords(japanese.last),
  ),
} satisfies Record<string, NameList>
