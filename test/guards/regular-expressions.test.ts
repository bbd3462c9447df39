import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'

import { parseAst } from 'vite'
import { expect, it } from 'vitest'

import { readCpuTime } from '../support.ts'

/** Quadratic expressions that only match the sandbox's own texts. */
const ours = new Set([
  String.raw`/\B(?=(?:\d{3})+$)/g`,
  String.raw`/\n\s+at .*(\n\s+at [\s\S]*)/`,
  String.raw`/\[([^\]]*)\]/g`,
])

/** The length of the shorter of two inputs. Units: characters. */
const SHORT = 500

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
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => /\.tsx?$/.test(name)).map((name) => join(folder, name))
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
const build = ['src/node/schemas/']

const found = ['src', 'seed']
  .flatMap(listFiles)
  .filter((path) => build.every((folder) => !path.startsWith(folder)))
  .flatMap(findExpressions)

/** Measures the least CPU time of some work. Units: milliseconds. */
function measure(work: () => unknown, times: number): number {
  const measured = Array.from({ length: times }, () => {
    const before = readCpuTime()
    work()
    return readCpuTime() - before
  })
  return Math.min(...measured)
}

/** A beginning, a part that repeats, and an end. */
type Input = readonly [start: string, repeated: string, end: string]

const classes: Readonly<Record<string, string>> = { d: '1', s: ' ', w: 'a', n: '\n', t: '\t', S: 'x', B: '' }

/** Writes the characters of a pattern in its order: what it repeats, and what comes before. */
const spell = (pattern: string): string =>
  pattern
    .replaceAll(/\\[pP]\{\w+\}/g, 'é')
    .replaceAll(/\\(?:x|u\{?)([\da-f]{2,4})\}?/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll(/\(\?<?[:=!]|[[\](){}^$*+?|]|\\(.)/g, (_, escaped?: string) =>
      escaped === undefined ? '' : (classes[escaped] ?? escaped),
    )

/** Finds the inputs whose time grows faster than their length. */
function findSlowInputs(apply: (text: string) => unknown, sample: string): string[] {
  const time = (times: number, length: number, [start, repeated, end]: Input): number => {
    const text = start + repeated.repeat(length / repeated.length) + end
    return measure(() => apply(text), times)
  }
  const inputs = Array.from(sample, (_, at) => at).flatMap((at) =>
    [...new Set([...Array.from(sample), sample.slice(at, at + 2)])].flatMap((repeated) =>
      ['', '\n!'].map((end): Input => [sample.slice(0, at), repeated, end]),
    ),
  )
  return inputs
    .filter((input) => time(1, FACTOR * SHORT, input) > 2)
    .filter((input) => time(3, FACTOR * SHORT, input) > 2 * FACTOR * time(3, SHORT, input) + 2)
    .map((input) => JSON.stringify(input))
}

/** Finds the slow inputs of an expression that is applied to a whole text. */
const findSlow = (regex: RegExp): string[] =>
  findSlowInputs(
    (text) => (regex.global ? text.replaceAll(regex, '') : regex.exec(text)),
    spell(regex.source),
  )

it('matches any input of every literal in linear time', () => {
  const literals = new Map(found.map((one) => [one.text, one]))
  const slow = [...literals.values()].flatMap(({ place, text, regex }) =>
    regex && !ours.has(text)
      ? findSlow(new RegExp(regex.pattern, regex.flags)).map((input) => `${place} ${text} ${input}`)
      : [],
  )
  expect(literals.size).toBeGreaterThan(150)
  expect(slow).toEqual([])
})

it.each([/0+$/, /\s*\n\s*/g, /^a *(?:b)? *$/])('detects that %s is quadratic', (regex) => {
  expect(findSlow(regex)).not.toEqual([])
})
