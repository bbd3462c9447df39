import groups from './company-size.json' with { type: 'json' }
import { splitWords } from './templates.ts'

const sizes = groups.map(({ employees, words }) => ({ employees, words: splitWords(words) }))

const NO_LETTERS = /[^a-z]/

const leastByText = new Map<string, number>()

/** Finds the least number of employees of a company that a text can be about. */
function findLeastEmployees(text: string): number {
  let least = leastByText.get(text)
  if (least === undefined) {
    const plain = ` ${text.toLowerCase().split(NO_LETTERS).join(' ')} `
    least = sizes.find(({ words }) => words.some((word) => plain.includes(` ${word} `)))?.employees ?? 0
    leastByText.set(text, least)
  }
  return least
}

/** The number of employees from which a company has everything. */
const LARGE = 150

/** Reports whether a text, or each of several, can be about a company with so many employees. */
export const fitsSize = (text: string | readonly string[], employees: number): boolean =>
  employees >= LARGE ||
  (typeof text === 'string' ? [text] : text).every((each) => findLeastEmployees(each) <= employees)

/** Keeps the texts that can be about a company with so many employees, or all if none can. */
export function keepFitting<T extends string | readonly string[]>(
  texts: readonly T[],
  employees: number,
): readonly T[] {
  if (employees >= LARGE) return texts
  const fitting = texts.filter((text) => fitsSize(text, employees))
  return fitting.length > 0 ? fitting : texts
}
