import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'

import { parseAst } from 'vite'
import { expect, it } from 'vitest'

import { addDuration } from '../../src/contract/instants.ts'
import { instant } from '../../src/contract/timestamps.ts'
import { readCpuTime } from '../support.ts'
import { literals, ours, type Worst } from './worst-inputs.ts'

/** Functions that match by an assembled pattern, by its source; their worst inputs are below. */
const made: Readonly<Record<string, ((text: string) => unknown) | typeof ours>> = {
  'new RegExp( String.raw`^P(?=\\d|T\\d)(?!.*[.,]\\d+[HM]\\d)(?:(\\d+)Y)?(?:(\\d+)M)?(?:(\\d+)W)?(?:(\\d+)D)?` + String.raw`(?:T(?=\\d)(?:${AMOUNT}H)?(?:${AMOUNT}M)?(?:${AMOUNT}S)?)?$`, )':
    (text) => addDuration('2026-01-15T12:00:00.000Z', text),
  'new RegExp(`^${pattern}$`)': (text) => instant.safeParse(text),
  // The patterns of the contract, applied to a sample.
  // A base URL from the user, and any path after it.
  'new RegExp(`^${base.replaceAll(/[.*+?^${}()|[\\]\\\\]/g, String.raw`\\$&`)}(?:/.*)?$`)': ours,
}

const madeWorst: Worst = [
  ['P', '1', ''],
  ['PT', '1', ''],
  ['PT1', '.1', ''],
  ['P1DT1.', '1', 'H'],
  ['P', '1D', ''],
  ['2026-01-15T12:00:00.', '0', 'Z'],
  ['/v1/organizations/harbor/', 'a', '/'],
  ['/v1/organizations/', '/', ''],
]

/** The length of the shorter of two inputs. Units: characters. */
const SHORT = 2_500

/** The ratio of the longer input to the shorter. */
const FACTOR = 8

/** The relevant part of a syntax tree's node. */
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

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return listFiles(path)
    return /\.tsx?$/.test(path) ? [path] : []
  })
}

/** Finds every regular expression in a file, literal or assembled. */
function findExpressions(path: string): Found[] {
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

/** The parts of the build, which read files of this repository only. */
const build = ['src/docs/build/', 'src/schemas/']

const found = ['src', 'seed']
  .flatMap(listFiles)
  .filter((path) => build.every((folder) => !path.startsWith(folder)))
  .flatMap(findExpressions)
const written = found.filter(({ regex }) => regex)
const assembled = found.filter(({ regex }) => !regex)

/** Measures the least CPU time of some work. Units: milliseconds. */
function measure(work: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const before = readCpuTime()
    work()
    return readCpuTime() - before
  })
  return Math.min(...times)
}

/** Finds the inputs whose time grows faster than their length. */
function findSlowInputs(apply: (text: string) => unknown, worst: Worst): string[] {
  return worst
    .filter(([start, repeated, end]) => {
      const of = (length: number): number => {
        const text = start + repeated.repeat(Math.ceil(length / repeated.length)) + end
        return measure(() => apply(text))
      }
      const short = of(SHORT)
      return of(SHORT * FACTOR) > 2 * FACTOR * short + 20
    })
    .map((input) => JSON.stringify(input))
}

/** Applies an expression to a whole text. */
const createApply =
  (regex: RegExp) =>
  (text: string): unknown =>
    regex.global ? text.replaceAll(regex, '') : regex.exec(text)

it('lists every regular expression with its worst inputs, and no others', () => {
  const unlisted = written.filter(({ text }) => !Object.hasOwn(literals, text))
  expect(unlisted.map(({ place, text }) => `${place} ${text}`)).toEqual([])
  const unknown = assembled.filter(({ text }) => !Object.hasOwn(made, text))
  expect(unknown.map(({ place, text }) => `${place} ${text}`)).toEqual([])
  const texts = new Set(found.map(({ text }) => text))
  expect([...Object.keys(literals), ...Object.keys(made)].filter((text) => !texts.has(text))).toEqual([])
})

it('matches the worst inputs of every literal in linear time', () => {
  const slow = written.flatMap(({ place, text, regex }) => {
    const worst = literals[text]
    if (!regex || worst === undefined || worst === ours) return []
    return findSlowInputs(createApply(new RegExp(regex.pattern, regex.flags)), worst).map(
      (input) => `${place} ${text} ${input}`,
    )
  })
  expect(slow).toEqual([])
})

it('matches the worst inputs of every assembled expression in linear time', () => {
  const slow = Object.entries(made).flatMap(([text, apply]) =>
    apply === ours ? [] : findSlowInputs(apply, madeWorst).map((input) => `${text} ${input}`),
  )
  expect(slow).toEqual([])
})

it.each([
  [/0+$/, ['', '0', '1']],
  [/\s*\n\s*/g, ['', ' ', 'x']],
  [/^a *(?:b)? *$/, ['a', ' ', 'x']],
] as const)('detects that %s is quadratic', (regex, input) => {
  expect(findSlowInputs(createApply(regex), [input])).toHaveLength(1)
})
