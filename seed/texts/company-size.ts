import { getOrCreate } from '../../src/core/maps.ts'
import groups from './company-size.json' with { type: 'json' }
import { splitWords } from './templates.ts'

const sizes = groups.map(({ employees, words }) => ({ employees, words: splitWords(words) }))

const NO_LETTERS = /[^a-z]/

const leastByText = new Map<string, number>()

const findLeastEmployees = (text: string): number =>
  getOrCreate(leastByText, text, () => {
    const plain = ` ${text.toLowerCase().split(NO_LETTERS).join(' ')} `
    return sizes.find(({ words }) => words.some((word) => plain.includes(` ${word} `)))?.employees ?? 0
  })

/** No text needs more employees. Not to look at the texts makes generating all rows 7 % cheaper. */
const LARGE = 150

export const fitsSize = (text: string | readonly string[], employees: number): boolean =>
  typeof text === 'string'
    ? employees >= LARGE || findLeastEmployees(text) <= employees
    : text.every((each) => fitsSize(each, employees))

/** Keeps the texts that can be about a company with so many employees, or all if none can. */
export function keepFitting<T extends string | readonly string[]>(
  texts: readonly T[],
  employees: number,
): readonly T[] {
  if (employees >= LARGE) return texts
  const fitting = texts.filter((text) => fitsSize(text, employees))
  return fitting.length > 0 ? fitting : texts
}

/** Counts the most people of a company who work with one thing: somebody always does something else. */
export const countMostUsers = (employees: number): number => Math.max(1, Math.floor(employees * 0.85))
