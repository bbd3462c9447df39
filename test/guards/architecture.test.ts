import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'

import { expect, test } from 'vitest'

/** One import of a file: a path from the top of the repository, or the name of a package. */
interface Import {
  readonly target: string
  readonly isType: boolean
}

interface Source {
  readonly path: string
  readonly text: string
  /** The text without comments and without what stands in quotes. */
  readonly code: string
  readonly imports: readonly Import[]
}

const sources = ['src', 'seed', 'test'].flatMap((folder) => filesIn(folder)).map(sourceOf)
const product = sources.filter(({ path }) => !path.startsWith('test/'))

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesIn(path)
    return /\.tsx?$/.test(path) ? [path] : []
  })
}

function sourceOf(path: string): Source {
  const text = readFileSync(path, 'utf8')
  const uncommented = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
  const imports = Array.from(
    uncommented.matchAll(/(?:^|\n)(?:import|export)\b([^'"`;]*?)from '([^']+)'|\bimport\('([^']+)'\)/g),
    ([, clause = '', named, dynamic]) => {
      const target = named ?? dynamic ?? ''
      return {
        target: target.startsWith('.') ? join(dirname(path), target) : target,
        isType: /^ type\b|^ \{\s*type [^,]*(?:,\s*type [^,]*)*,?\s*\} $/.test(clause),
      }
    },
  )
  return { path, text, code: uncommented.replaceAll(/'(?:[^'\\\n]|\\.)*'/g, "''"), imports }
}

/** What each room may import, besides itself; the design's list, from the bottom up. */
const below: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  store: ['contract', 'import-in-turn'],
  seed: ['store', 'contract', 'import-in-turn'],
  resources: ['store', 'contract'],
  options: ['store', 'contract'],
  docs: [],
  'import-in-turn': [],
  version: ['package.json'],
  http: ['control', 'resources', 'store', 'contract', 'import-in-turn'],
  control: ['http', 'resources', 'store', 'contract', 'options', 'version'],
  console: ['http', 'control', 'resources', 'store', 'contract', 'options'],
  sandbox: [
    'http',
    'control',
    'resources',
    'store',
    'contract',
    'options',
    'version',
    'seed',
    'import-in-turn',
  ],
  index: ['sandbox', 'http', 'control', 'resources', 'store', 'contract', 'options'],
  server: [
    'index',
    'sandbox',
    'http',
    'control',
    'store',
    'contract',
    'options',
    'version',
    'import-in-turn',
  ],
  doors: [
    'server',
    'index',
    'sandbox',
    'control',
    'resources',
    'store',
    'contract',
    'options',
    'version',
    'import-in-turn',
  ],
}

/** The room of a file: a folder of `src`, `seed`, or one of the files that stand directly in `src`. */
function roomOf(path: string): string {
  if (!path.startsWith('src/')) return path.split('/')[0] ?? ''
  const room = path.split('/')[1]?.replace(/\.ts$/, '') ?? ''
  return room in below ? room : 'doors'
}

/** What `seed/` may know of the store: the rows and what they refer to. */
const rowsOnly = new Set([
  'src/store/tables.ts',
  'src/store/rows.ts',
  'src/store/references.ts',
  'src/store/texts.ts',
  'src/store/whole.ts',
])

/** Which files may import a package, or a door of one; every other package is refused to the product. */
const packages: Readonly<Record<string, RegExp>> = {
  zod: /^(?:src|seed)\//,
  'fastest-levenshtein': /^src\/contract\/nearest\.ts$/,
  hono: /^src\/(?:http|control)\//,
  '@hono/zod-validator': /^src\/control\/validator\.ts$/,
  '@hono/node-server': /^src\/server\//,
  lowdb: /^src\/store\//,
  '@faker-js/faker': /^seed\//,
  commander: /^src\/cli/,
  jiti: /^src\/cli/,
  picocolors: /^src\/cli/,
  vite: /^src\/vite\.ts$/,
  vitest: /^src\/vitest(?:-reporter)?\.ts$/,
  'swagger-ui-dist': /^src\/docs\//,
  preact: /^src\/console\//,
  '@preact/signals': /^src\/console\//,
  'eventsource-parser': /^src\/console\/live\.ts$/,
  msw: /^src\/msw\.ts$/,
}

/** Everything that a file brings with it when it is loaded. */
function loadedBy(path: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  const imports = sources.find((source) => source.path === path)?.imports ?? []
  for (const { target, isType } of imports) if (!isType) loadedBy(target, seen)
  return seen
}

/** The places in the product's code that match, as `path: match`, outside the files that may. */
function uses(pattern: RegExp, allowed = /^$/): string[] {
  return product
    .filter(({ path }) => !allowed.test(path))
    .flatMap(({ path, code }) => Array.from(code.matchAll(pattern), ([match]) => `${path}: ${match}`))
}

test('reads the sources', () => {
  expect(product.length).toBeGreaterThan(60)
  expect(product.flatMap(({ imports }) => imports).length).toBeGreaterThan(200)
})

test('imports point only down the list of rooms', () => {
  const wrong = product.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => /^(?:src|seed|test|package\.json)\b/.test(target))
      .filter(({ target }) => {
        const [from, to] = [roomOf(path), roomOf(target)]
        return from !== to && below[from]?.includes(to) !== true
      })
      .map(({ target }) => `${path} imports ${target}`),
  )
  expect(wrong).toEqual([])
})

test('the generators know rows, not sessions or files', () => {
  const wrong = product
    .filter(({ path }) => path.startsWith('seed/'))
    .flatMap(({ path, imports }) => imports.map(({ target }) => ({ path, target })))
    .filter(({ target }) => target.startsWith('src/store/') && !rowsOnly.has(target))
  expect(wrong).toEqual([])
})

test('the console takes types from the server, and no code', () => {
  const wrong = product
    .filter(({ path }) => path.startsWith('src/console/'))
    .flatMap(({ path, imports }) => imports.map((one) => ({ path, ...one })))
    .filter(({ target, isType }) => /^(?:src|seed)\/(?!console\/)/.test(target) && !isType)
    .map(({ path, target }) => `${path} imports ${target}`)
  expect(wrong).toEqual([])
})

test('no file imports itself by way of others', () => {
  const cyclic = product.filter(({ imports, path }) =>
    imports.some(({ target }) => target.endsWith('.ts') && reaches(target, path)),
  )
  expect(cyclic.map(({ path }) => path)).toEqual([])
})

/** Says whether following every import, of types too, leads from one file to the other. */
function reaches(from: string, to: string, seen = new Set<string>()): boolean {
  if (from === to) return true
  if (seen.has(from)) return false
  seen.add(from)
  const imports = product.find(({ path }) => path === from)?.imports ?? []
  return imports.some(({ target }) => reaches(target, to, seen))
}

test('packages are imported only where they belong', () => {
  const wrong = product.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => !/^(?:src|seed|fixtures|package\.json|node:)/.test(target))
      .filter(({ target }) => {
        const name = target.split('/').slice(0, target.startsWith('@') ? 2 : 1)
        return packages[name.join('/')]?.test(path) !== true
      })
      .map(({ target }) => `${path} imports ${target}`),
  )
  expect(wrong).toEqual([])
})

test('only seed/ imports Faker, and only its English door loads', () => {
  const doors = product.flatMap(({ imports }) =>
    imports.filter(({ target }) => target.startsWith('@faker-js/')),
  )
  const loaded = doors.filter(({ isType }) => !isType).map(({ target }) => target)
  expect(new Set(loaded)).toEqual(new Set(['@faker-js/faker/locale/en']))
})

test('the core needs no Node: nothing that index.ts loads imports it', () => {
  const nodeOnly = [...loadedBy('src/index.ts')].filter((name) =>
    /^(?:node:|lowdb\/node|@hono\/node-server)/.test(name),
  )
  expect(nodeOnly).toEqual([])
})

test('the core reads no global of Node', () => {
  const core = [...loadedBy('src/index.ts')]
  const ofNode = /\b(?:process|Buffer|setImmediate|__dirname|require)\b\s*[.(]/
  expect(
    core.filter((path) => ofNode.test(product.find((source) => source.path === path)?.code ?? '')),
  ).toEqual([])
})

test('the time is read in one file', () => {
  const clock = /^src\/control\/clock\.ts$/
  expect(uses(/\bDate\.now\b|\bnew Date\(\s*\)|(?<!new )\bDate\(|\bnew Date\b(?!\()/g, clock)).toEqual([])
  expect(uses(/\bperformance\b|\bhrtime\b|\bTemporal\b/g, clock)).toEqual([])
})

test('nothing is random', () => {
  expect(uses(/\bMath\.random\b|\brandomUUID\b|\bgetRandomValues\b|\brandomBytes\b|\brandomInt\b/g)).toEqual(
    [],
  )
})

test('nothing depends on the machine’s time zone or language', () => {
  const banner = /^src\/cli\/banner\.ts$/
  expect(uses(/\bIntl\b|\.toLocale\w*\b|\.localeCompare\b/g, banner)).toEqual([])
  const local =
    /\.(?:get|set)(?:Date|Day|FullYear|Hours|Minutes|Seconds|Milliseconds|Month|TimezoneOffset)\(/g
  expect(uses(local)).toEqual([])
  expect(uses(/\bnew Date\([^()]*,|\.to(?:Date|Time)String\(/g)).toEqual([])
})

test('the environment is read by the command only', () => {
  expect(uses(/\bprocess\s*\.\s*env\b|\bimport\.meta\.env\b/g, /^src\/cli/)).toEqual([])
})

test('what an entry point imports later, it imports in turn: Jest fails if two such imports share a module', () => {
  const apart = /^src\/(?:cli|console|docs)\b/
  expect(uses(/(?<!importInTurn\(\(\) =>\s+)\bimport\(/g, apart)).toEqual([])
})

test('no file is longer than 300 lines', () => {
  const long = sources.filter(({ text }) => text.split('\n').length - 1 > 300)
  expect(long.map(({ path }) => path)).toEqual([])
})

test('nothing is left to do', () => {
  expect(product.filter(({ text }) => /\b(?:TO[D]O|FIX[M]E|XX[X]|HAC[K])\b/.test(text))).toEqual([])
})

test('nothing points outside the repository', () => {
  const outside = new RegExp(['\\.\\./sha', 'red\\b|/wo', 'rk/'].join(''))
  expect(sources.filter(({ text }) => outside.test(text)).map(({ path }) => path)).toEqual([])
})
