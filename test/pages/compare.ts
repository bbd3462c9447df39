import { isDeepStrictEqual } from 'node:util'

/** Matches anything: a value, the rest of an object or an array, a part of a line, or lines. */
const ANYTHING = '…'

/** Reports whether a JSON value matches a pattern, in which `…` matches anything. */
export function matchesJson(pattern: unknown, value: unknown): boolean {
  if (pattern === ANYTHING) return true
  if (Array.isArray(pattern)) return Array.isArray(value) && matchesArray(pattern, value)
  if (isObject(pattern)) return isObject(value) && matchesObject(pattern, value)
  return isDeepStrictEqual(pattern, value)
}

function matchesArray(pattern: readonly unknown[], value: readonly unknown[]): boolean {
  const isOpen = pattern.at(-1) === ANYTHING
  const given = isOpen ? pattern.slice(0, -1) : pattern
  if (isOpen ? value.length < given.length : value.length !== given.length) return false
  return given.every((one, index) => matchesJson(one, value[index]))
}

function matchesObject(
  pattern: Readonly<Record<string, unknown>>,
  value: Readonly<Record<string, unknown>>,
): boolean {
  const { [ANYTHING]: open, ...given } = pattern
  const hasRest = open !== undefined || Object.keys(value).every((key) => Object.hasOwn(given, key))
  return (
    hasRest &&
    Object.entries(given).every(([key, one]) => Object.hasOwn(value, key) && matchesJson(one, value[key]))
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reports whether a text matches a pattern line by line; `…` matches a part of a line, and alone any lines. */
export function matchesText(pattern: string, text: string): boolean {
  const source = toLines(pattern).map((line) =>
    line.trim() === ANYTHING ? '(?:.*\\n)*?' : `${toSource(line)}\\n`,
  )
  return new RegExp(`^${source.join('')}$`).test(`${toLines(text).join('\n')}\n`)
}

const toSource = (line: string): string => line.split(ANYTHING).map(escape).join('.*?')

const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

const toLines = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd())
