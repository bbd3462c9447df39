import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path/posix'

import { parseSync } from 'vite'
import { expect, it } from 'vitest'

import manifest from '../../package.json' with { type: 'json' }

/** An import: a path relative to the repository's root, or the name of a package. */
interface Import {
  readonly target: string
  readonly isType: boolean
  /** Whether it is loaded when it is first used. */
  readonly isLazy?: boolean
}

interface Source {
  readonly path: string
  readonly text: string
  /** The text without comments and the contents of strings. */
  readonly code: string
  readonly imports: readonly Import[]
}

const sources = ['src', 'seed', 'test'].flatMap((folder) => listFiles(folder)).map(readSource)
const product = sources.filter(({ path }) => !path.startsWith('test/'))

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return listFiles(path)
    return /\.tsx?$/.test(path) ? [path] : []
  })
}

function readSource(path: string): Source {
  const text = readFileSync(path, 'utf8')
  const { module, comments } = parseSync(path, text)
  const { staticImports, staticExports, dynamicImports } = module
  const toImport = (target: string, isType: boolean): Import => ({
    target: target.startsWith('.') ? join(dirname(path), target) : target,
    isType,
  })
  const imports = [
    ...staticImports.map(({ moduleRequest, entries }) =>
      toImport(moduleRequest.value, entries.length > 0 && entries.every(({ isType }) => isType)),
    ),
    ...staticExports
      .flatMap(({ entries }) => entries)
      .flatMap(({ moduleRequest, isType }) => (moduleRequest ? [toImport(moduleRequest.value, isType)] : [])),
    // Others are not literals.
    ...dynamicImports
      .map(({ moduleRequest: { start, end } }) => text.slice(start, end))
      .flatMap((literal) =>
        literal.startsWith("'") ? [{ ...toImport(literal.slice(1, -1), false), isLazy: true }] : [],
      ),
  ]
  const code = comments.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text)
  return { path, text, code: code.replaceAll(/'(?:[^'\\\n]|\\.)*'/g, "''"), imports }
}

/** The rooms, lowest first. A room may import from those before it. */
const rooms = [
  'src/core',
  'src/contract',
  'src/store',
  'seed',
  'src/store/disk',
  'src/service',
  'src/testing',
  'src/sessions',
  'src/http',
  'src/control',
  'src/lab',
  'src/sandbox',
  'src/node',
  'src',
  'src/pages',
]

/** Finds the room of a file: the innermost folder of `rooms` around it. */
const findRoom = (path: string): string =>
  rooms.filter((room) => path.startsWith(`${room}/`)).toSorted((a, b) => b.length - a.length)[0] ?? path

function mayImport(from: string, to: string): boolean {
  if (from === 'seed' || from === 'src/service') return ['src/store', 'src/contract', 'src/core'].includes(to)
  return rooms.indexOf(to) < rooms.indexOf(from)
}

/** The part of the store that `seed/` may import: the rows and their references. */
const rowsOnly = /^src\/store\/(?:tables\/\w+|tables|references|referring|texts)\.ts$/

/** The files that may import each package, and `package.json`. No file may import any other package. */
const packages: Readonly<Record<string, RegExp>> = {
  'package.json': /^src\/core\/version\.ts$/,
  zod: /^(?:src|seed)\//,
  'fastest-levenshtein': /^src\/core\/nearest\.ts$/,
  '@noble/hashes': /^src\/sessions\/fingerprint\.ts$/,
  hono: /^src\/(?:http|control)\/|^src\/lab\/\w+\/routes\.ts$|^src\/(?:pages\/client|worker|service\/match-route|sandbox\/remote\/control-client)\.ts$/,
  '@hono/zod-validator': /^src\/(?:http|control)\//,
  '@hono/node-server': /^src\/node\/server\//,
  lowdb: /^src\/store\/disk\//,
  '@faker-js/faker': /^seed\//,
  commander: /^src\/node\/cli\//,
  jiti: /^src\/node\/cli\//,
  picocolors: /^src\/(?:node\/cli\/|cli\.ts$|vite\.ts$)/,
  vite: /^src\/vite\.ts$/,
  vitest: /^src\/vitest\.ts$/,
  preact: /^src\/pages\//,
  '@preact/signals': /^src\/pages\//,
  'eventsource-parser': /^src\/pages\/live\.ts$/,
  msw: /^src\/msw\.ts$/,
  '@playwright/test': /^src\/(?:playwright|sandbox\/remote\/route-pages)\.ts$/,
}

/** Collects all modules that are loaded with a file, at once or later. */
function collectLoaded(path: string, seen = new Set<string>(), isLazy = true): ReadonlySet<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  const imports = sources.find((source) => source.path === path)?.imports ?? []
  for (const one of imports) {
    if (!one.isType && (isLazy || !one.isLazy)) collectLoaded(one.target, seen, isLazy)
  }
  return seen
}

/** Lists the imports of the product for which a condition holds, as `path imports target`. */
function findImports(holds: (path: string, one: Import) => boolean): string[] {
  return product.flatMap(({ path, imports }) =>
    imports.filter((one) => holds(path, one)).map(({ target }) => `${path} imports ${target}`),
  )
}

/** Finds matches in the product's code, as `path: match`, except in the allowed files. */
function findUses(pattern: RegExp, allowed = /^$/): string[] {
  return product
    .filter(({ path }) => !allowed.test(path))
    .flatMap(({ path, code }) => Array.from(code.matchAll(pattern), ([match]) => `${path}: ${match}`))
}

it('reads the sources', () => {
  expect(product.length).toBeGreaterThan(60)
  expect(product.flatMap(({ imports }) => imports).length).toBeGreaterThan(200)
})

it('every file directly in src/ is an entry point', () => {
  const entries = Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [basename(entry.default, '.js')],
  )
  const files = product.flatMap(({ path }) => /^src\/([^/]+)\.ts$/.exec(path)?.[1] ?? [])
  expect(files.toSorted()).toEqual([...entries, 'cli'].toSorted())
})

it('rooms import only from those before them', () => {
  const wrong = findImports((path, { target }) => {
    const [from, to] = [findRoom(path), findRoom(target)]
    return /^(?:src|seed|test)\b/.test(target) && from !== to && !mayImport(from, to)
  })
  expect(wrong).toEqual([])
})

const loadAtOnce = (path: string) => [...collectLoaded(path, new Set(), false)]

it('a sandbox loads the laboratory when it is opened, as each part of it when it is used', () => {
  expect(loadAtOnce('src/sandbox/sandbox.ts').filter((path) => path.startsWith('src/lab/'))).toEqual([])
  expect(loadAtOnce('src/lab/attach.ts').filter((path) => /^src\/lab\/\w+\//.test(path))).toContain(
    'src/lab/sync/warnings.ts',
  )
  expect(loadAtOnce('src/lab/attach.ts').filter((path) => /\/(?:explain|living)\//.test(path))).toEqual([])
})

it('the generators import rows, but no sessions or files; the console types from the server, but no code', () => {
  const wrong = findImports((path, { target, isType }) =>
    path.startsWith('src/pages/')
      ? /^(?:src|seed)\/(?!pages\/)/.test(target) && !isType
      : path.startsWith('seed/') && target.startsWith('src/store/') && !rowsOnly.test(target),
  )
  expect(wrong).toEqual([])
})

it('the console calls the control plane through its typed client only, and contains none of its paths', () => {
  const named = product
    .filter(({ path }) => path.startsWith('src/pages/'))
    .filter(({ text }) => /[`'"]\/_sandbox(?!\/docs)/.test(text))
  expect(named.map(({ path }) => path)).toEqual([])
})

it('packages are imported only by the files they are meant for', () => {
  const wrong = findImports((path, { target }) => {
    const name = target.split('/').slice(0, target.startsWith('@') ? 2 : 1)
    return !/^(?:src|seed|fixtures|node:)/.test(target) && packages[name.join('/')]?.test(path) !== true
  })
  expect(wrong).toEqual([])
})

it('only seed/ imports Faker, and only the lists of names load its locales, which are slow to load', () => {
  const others = findImports(
    (path, { target, isType }) =>
      target.startsWith('@faker-js/') && !isType && path !== 'seed/people/name-lists.ts',
  )
  expect(others).toEqual(['seed/random/record-key.ts imports @faker-js/faker/locale/base'])
})

it('texts that are generated when they are read need no lists of names', () => {
  expect([...collectLoaded('seed/dataset/long-texts.ts')]).not.toContain('seed/people/name-lists.ts')
})

it('index.ts loads no modules of Node, and uses none of its globals, but to read datasets if they are there', () => {
  const core = [...collectLoaded('src/index.ts')]
  expect(core.filter((name) => /^(?:node:|lowdb\/node|@hono\/node-server)/.test(name))).toEqual([])
  const globals = /\b(?:process|Buffer|setImmediate|__dirname|require)\b\s*[.(]/
  const users = product.filter(({ path, code }) => core.includes(path) && globals.test(code))
  expect(users.map(({ path }) => path)).toEqual(['seed/dataset/read-templates.ts'])
})

const clock = /^src\/core\/system-clock\.ts$/

it.for<readonly [rule: string, uses: RegExp, allowed?: RegExp]>([
  [
    'only one file reads the date',
    /\bDate\.now\b|\bnew Date\(\s*\)|(?<!new )\bDate\(|\bnew Date\b(?!\()/g,
    clock,
  ],
  ['only one file measures time', /\bperformance\b|\bhrtime\b|\bTemporal\b/g, clock],
  [
    'no code uses unseeded randomness',
    /\bMath\.random\b|\brandomUUID\b|\bgetRandomValues\b|\brandomBytes\b|\brandomInt\b/g,
  ],
  // A literal names the language.
  [
    'no code depends on the language of the machine',
    /\bIntl\b|\.toLocale\w*\b(?!\(''[,)])|\.localeCompare\b/g,
  ],
  [
    'no code depends on the time zone of the machine',
    /\.(?:get|set)(?:Date|Day|FullYear|Hours|Minutes|Seconds|Milliseconds|Month|TimezoneOffset)\(|\bnew Date\([^()]*,|\.to(?:Date|Time)String\(/g,
  ],
  [
    'only the command and the entry point for Playwright read environment variables',
    /\bprocess\s*\.\s*env\b|\bimport\.meta\.env\b/g,
    /^src\/(?:node\/cli\/|cli\.ts|playwright\.ts)/,
  ],
  [
    'entry points import dynamically through importSequentially: Jest fails if two concurrent imports share a module',
    /(?<!importSequentially\(\s*\(\) =>\s+)\bimport\(/g,
    /^src\/(?:node\/cli\/|pages\/|cli\.ts$)/,
  ],
])('%s', ([, uses, allowed]) => expect(findUses(uses, allowed)).toEqual([]))

it('no code has a reminder of unfinished work', () => {
  expect(product.filter(({ text }) => /\b(?:TO[D]O|FIX[M]E|XX[X]|HAC[K])\b/.test(text))).toEqual([])
})

it('no file refers to paths outside of the repository', () => {
  const outside = new RegExp(['\\.\\./sha', 'red\\b|/wo', 'rk/'].join(''))
  expect(sources.filter(({ text }) => outside.test(text)).map(({ path }) => path)).toEqual([])
})
