import type { RecordKey } from '../random/record-key.ts'
import texts from '../texts/companies.json' with { type: 'json' }

export const industries: readonly string[] = Object.keys(texts.industries)

const { words } = texts
const partners = [7, 19, 33, 51].flatMap((step) =>
  words.map((name, index) => `${name} & ${words[(index + step) % words.length]}`),
)
/** Excludes words that read badly, such as "Deeppool". */
const compounds = texts.beginnings.flatMap((beginning) =>
  texts.endings
    .filter((ending) => !beginning.toLowerCase().endsWith(ending.charAt(0)))
    .map((ending) => beginning + ending),
)
const prefixes = [...words, ...partners, ...compounds]

const activities = Object.entries(texts.industries).flatMap(([industry, names]) =>
  names.map((word) => ({ industry, word })),
)

export interface CompanyName {
  readonly name: string
  /** A domain that never resolves. Source: RFC 2606, `.example`. */
  readonly domain: string
  readonly industry: string
}

/**
 * Generates the company at a position. The first 200,000 positions of a key have distinct names and domains.
 */
export function generateCompany(organization: RecordKey, position: number): CompanyName {
  const place = organization.permute(position, prefixes.length * activities.length)
  const activity = activities[place % activities.length]
  const prefix = prefixes[Math.floor(place / activities.length)]
  if (!activity || !prefix)
    throw new RangeError(`Cannot name company ${position}: the place ${place} is out of range.`)
  const name = `${prefix} ${activity.word}`
  return { name, domain: toDomain(name), industry: activity.industry }
}

export function detectIndustry(name: string): string | undefined {
  return activities.find(({ word }) => name.endsWith(` ${word}`))?.industry
}

export function toDomain(name: string): string {
  const label = name
    .normalize('NFD')
    .replace(/&/g, '')
    .replace(/[^a-zA-Z0-9]/g, '')
    .toLowerCase()
    .slice(0, 63)
  return `${label || 'company'}.example`
}
