import { formatInteger } from '../../src/core/words.ts'
import { splitWords } from './templates.ts'
import words from './words.json' with { type: 'json' }

const months = splitWords(words.months)

export const weekdays = splitWords(words.weekdays)

/** The numbers from zero to twelve in words. */
export const numerals = splitWords(words.numerals)

export const formatMoney = (amount: number): string => `$${formatInteger(amount)}`

export const formatMonth = (timeMs: number): string => months[new Date(timeMs).getUTCMonth()] ?? ''

/** Formats the day of a time, as in "12 March 2026". Units: milliseconds since 1970. */
export function formatDay(timeMs: number): string {
  const at = new Date(timeMs)
  return `${at.getUTCDate()} ${formatMonth(timeMs)} ${at.getUTCFullYear()}`
}

/** Formats the day of a time without its year, as in "12 March". Units: milliseconds since 1970. */
export const formatYearDay = (timeMs: number): string =>
  `${new Date(timeMs).getUTCDate()} ${formatMonth(timeMs)}`

/** Formats the quarter of a time, or one before or after it, as in "Q3 2025". Units: milliseconds since 1970. */
export function formatQuarter(timeMs: number, shift = 0): string {
  const at = new Date(timeMs)
  const quarters = at.getUTCFullYear() * 4 + Math.floor(at.getUTCMonth() / 3) + shift
  return `Q${(quarters % 4) + 1} ${Math.floor(quarters / 4)}`
}

export interface PersonName {
  readonly firstName: string
  readonly lastName: string
}

export const formatName = ({ firstName, lastName }: PersonName): string => `${firstName} ${lastName}`
