import { capitalize } from '../../src/core/words.ts'
import { countries } from '../calendar/places.ts'
import { nameLists } from '../people/name-lists.ts'
import type { RecordKey } from '../random/record-key.ts'
import texts from '../texts/companies.json' with { type: 'json' }
import { fillTemplate, splitWords } from '../texts/templates.ts'

export const industries: readonly string[] = Object.keys(texts.industries)

const words = splitWords(texts.words)
const endings = splitWords(texts.endings)
const partners = [7, 19, 33, 51].flatMap((step) =>
  words.map((name, index) => `${name} & ${words[(index + step) % words.length]}`),
)
/** Excludes words that read badly, such as "Deeppool". */
const compounds = splitWords(texts.beginnings).flatMap((beginning) =>
  endings
    .filter((ending) => !beginning.toLowerCase().endsWith(ending.charAt(0)))
    .map((ending) => beginning + ending),
)

interface Activity {
  readonly industry: string
  readonly word: string
}

const listActivities = (byIndustry: Readonly<Record<string, string>>): readonly Activity[] =>
  Object.entries(byIndustry).flatMap(([industry, names]) =>
    splitWords(names).map((word) => ({ industry, word })),
  )

const english = listActivities(texts.industries)

/** How companies are named in a country: after families, or in English after words. */
interface Custom {
  readonly surnames: readonly string[]
  readonly templates: readonly string[]
  readonly activities: readonly Activity[]
}

const englishCustom: Custom = {
  surnames: [...words, ...partners, ...compounds],
  templates: ['{{surname}} {{activity}}'],
  activities: english,
}

const surnamesByList = new Map(
  Object.entries(nameLists).map(([name, { last_name: last }]) => [
    name,
    'generic' in last ? last.generic : last.male,
  ]),
)
const languages = new Map(
  Object.entries<{ names: string[]; activities?: Readonly<Record<string, string>> }>(texts.languages),
)
const customs: ReadonlyMap<string, Custom> = new Map(
  countries.flatMap(({ name, names, companies = '' }) => {
    const language = languages.get(companies)
    if (!language) return []
    const activities = language.activities ? listActivities(language.activities) : english
    return [[name, { surnames: surnamesByList.get(names) ?? [], templates: language.names, activities }]]
  }),
)

const POSITIONS = 200_000

/**
 * Generates the company at a position, named as is usual in its country: after one family, or after two at positions for
 * which there are too few families. The first 200,000 positions of a key have distinct names and domains.
 */
export function generateCompany(organization: RecordKey, position: number, country: string) {
  const { surnames, templates, activities } = customs.get(country) ?? englishCustom
  const singles = surnames.length * activities.length
  const steps = Math.min(surnames.length - 1, Math.ceil(POSITIONS / singles))
  const place =
    position < singles || singles >= POSITIONS
      ? organization.permute(position, singles)
      : singles + organization.permute(position - singles, singles * steps)
  const [index, step] = [Math.floor(place / activities.length), Math.floor(place / singles)]
  const { word = '', industry = '' } = activities[place % activities.length] ?? {}
  const first = surnames[index % surnames.length]
  const surname = step === 0 ? first : `${first} & ${surnames[(index + step) % surnames.length]}`
  const template = templates[(index + place) % templates.length] ?? ''
  const name = capitalize(fillTemplate(template, { surname, activity: word }))
  return { name, domain: toDomain(name), industry }
}

const activitiesOfAll = [english, ...[...customs.values()].map(({ activities }) => activities)].flat()

export function detectIndustry(name: string): string | undefined {
  return activitiesOfAll.find(({ word }) => name.endsWith(` ${word}`) || name.startsWith(`${word} `))
    ?.industry
}

/** Makes a domain that never resolves. Source: RFC 2606, `.example`. */
export function toDomain(name: string): string {
  const label = name
    .normalize('NFD')
    .replace(/[^a-zA-Z0-9]/g, '')
    .toLowerCase()
    .slice(0, 63)
  return `${label || 'company'}.example`
}
