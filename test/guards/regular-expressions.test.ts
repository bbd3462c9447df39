import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'

import { parseAst } from 'vite'
import { expect, test } from 'vitest'

import { after } from '../../src/contract/duration.ts'
import { instant } from '../../src/contract/timestamps.ts'
import { literals, ours, type Worst } from './worst-inputs.ts'

/** What matches by a pattern that is put together, by how it is put together; its worst inputs are below. */
const made: Readonly<Record<string, ((text: string) => unknown) | typeof ours>> = {
  'new RegExp( String.raw`^P(?=\\d|T\\d)(?!.*[.,]\\d+[HM]\\d)(?:(\\d+)Y)?(?:(\\d+)M)?(?:(\\d+)W)?(?:(\\d+)D)?` + String.raw`(?:T(?=\\d)(?:${AMOUNT}H)?(?:${AMOUNT}M)?(?:${AMOUNT}S)?)?$`, )':
    (text) => after('2026-01-15T12:00:00.000Z', text),
  'new RegExp(`^${forms[form].pattern}$`)': (text) => instant.safeParse(text),
  // The patterns of the contract, over a sample.
  'new RegExp(pattern)': ours,
  // A base address that the user gives, and any path behind it.
  'new RegExp(`^${base.replaceAll(/[.*+?^${}()|[\\]\\\\]/g, String.raw`\\$&`)}(?:/.*)?$`)': ours,
}

const madeWorst: Worst = [
  ['P', '1', ''],
  ['PT', '1', ''],
  ['PT1', '.1', ''],
  ['P1DT1.', '1', 'H'],
  ['P', '1D', ''],
  ['2026-01-15T12:00:00.', '0', 'Z'],
]

/** How long the shorter of two inputs is. Units: characters. */
const SHORT = 2_500

/** How much longer the longer one is. */
const FACTOR = 4

/** A node of a syntax tree, as far as it matters here. */
interface Node {
  readonly type?: string
  readonly start: number
  readonly end: number
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly name?: string }
}

interface Found {
  readonly place: string
  readonly text: string
  readonly regex: Node['regex']
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesIn(path)
    return /\.tsx?$/.test(path) ? [path] : []
  })
}

/** Every regular expression in a file, written out or put together. */
function expressionsIn(path: string): Found[] {
  const text = readFileSync(path, 'utf8')
  const found: Found[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if (isExpression(node)) {
      const { start, end, regex } = node
      const place = `${path}:${text.slice(0, start).split('\n').length}`
      found.push({ place, text: text.slice(start, end).replaceAll(/\s+/g, ' '), regex })
    }
    for (const part of Object.values(node)) visit(part)
  }
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }))
  return found
}

function isExpression(node: object): node is Node {
  const { type, regex, callee }: Partial<Node> = node
  if (type === 'Literal') return regex !== undefined && regex !== null
  return (type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp'
}

const found = ['src', 'seed'].flatMap(filesIn).flatMap(expressionsIn)
const written = found.filter(({ regex }) => regex)
const assembled = found.filter(({ regex }) => !regex)

/** How long work takes, at its best. Units: milliseconds. */
function timeOf(work: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const before = performance.now()
    work()
    return performance.now() - before
  })
  return Math.min(...times)
}

/** The inputs whose time grows faster than their length. */
function slowInputs(apply: (text: string) => unknown, worst: Worst): string[] {
  return worst
    .filter(([start, repeated, end]) => {
      const of = (length: number): number => {
        const text = start + repeated.repeat(Math.ceil(length / repeated.length)) + end
        return timeOf(() => apply(text))
      }
      const short = of(SHORT)
      return of(SHORT * FACTOR) > 2 * FACTOR * short + 20
    })
    .map((input) => JSON.stringify(input))
}

/** Applies an expression as far as it goes. */
const applying =
  (regex: RegExp) =>
  (text: string): unknown =>
    regex.global ? text.replaceAll(regex, '') : regex.exec(text)

test('every regular expression is listed with the inputs that cost it most, and no other is', () => {
  const unlisted = written.filter(({ text }) => !Object.hasOwn(literals, text))
  expect(unlisted.map(({ place, text }) => `${place} ${text}`)).toEqual([])
  const unknown = assembled.filter(({ text }) => !Object.hasOwn(made, text))
  expect(unknown.map(({ place, text }) => `${place} ${text}`)).toEqual([])
  const texts = new Set(found.map(({ text }) => text))
  expect([...Object.keys(literals), ...Object.keys(made)].filter((text) => !texts.has(text))).toEqual([])
})

test('no listed input costs a regular expression more than its length', () => {
  const slow = written.flatMap(({ place, text, regex }) => {
    const worst = literals[text]
    if (!regex || worst === undefined || worst === ours) return []
    return slowInputs(applying(new RegExp(regex.pattern, regex.flags)), worst).map(
      (input) => `${place} ${text} ${input}`,
    )
  })
  expect(slow).toEqual([])
})

test('no listed input costs an assembled regular expression more than its length', () => {
  const slow = Object.entries(made).flatMap(([text, apply]) =>
    apply === ours ? [] : slowInputs(apply, madeWorst).map((input) => `${text} ${input}`),
  )
  expect(slow).toEqual([])
})

test.each([
  [/0+$/, ['', '0', '1']],
  [/\s*\n\s*/g, ['', ' ', 'x']],
  [/^a *(?:b)? *$/, ['a', ' ', 'x']],
] as const)('the guard finds that %s is quadratic', (regex, input) => {
  expect(slowInputs(applying(regex), [input])).toHaveLength(1)
})
