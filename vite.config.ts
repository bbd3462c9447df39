import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'

import {
  defineConfig,
  mergeConfig,
  type Plugin,
  type Rolldown,
  transformWithOxc,
  type UserConfig,
} from 'vite'

import manifest from './package.json' with { type: 'json' }
import { loadContent, type DatasetSource, loadFixture, formatSource } from './seed/dataset/content.ts'
import { listCustomerIds, listOrganizationIds } from './seed/dataset/generated-ids.ts'
import type { ReadyMade } from './seed/dataset/ready-made.ts'
import { nameLists } from './seed/people/name-lists.ts'
import { formatJson } from './src/core/json-steps.ts'
import { resolveDatasetKey } from './src/sessions/dataset-options.ts'
import { createDataset } from './src/store/dataset.ts'
import { type Rows, tableNames } from './src/store/tables.ts'
import { noTexts } from './src/store/texts.ts'

/** The entry points that package.json exports, each a file directly in src/. */
const entryPoints = Object.values(manifest.exports).flatMap((entry) =>
  typeof entry === 'string' ? [] : [basename(entry.default, '.js')],
)

/** Readable code for Node 20 and newer. */
const target = { ssr: true, target: 'node20', minify: false } as const

/** `vite build`: the entry points, with external dependencies, except those that load faster within them. */
const library: UserConfig = {
  // The parts in use load faster in one file than zod's hundred files, half of them messages in other languages, and than
  // Hono's thirty. Bundlers for no platform in particular do not find the code of the others.
  ssr: { noExternal: ['zod', 'hono', '@hono/zod-validator', 'fastest-levenshtein', '@noble/hashes'] },
  plugins: [embedChoices(), findDatasets(), emitJsonSchemas(), leaveDependenciesOutOfMaps(), writeAscii()],
  build: {
    ...target,
    sourcemap: true,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      // The runtime of Rolldown for Node imports `node:module`, which browsers and workers do not have.
      platform: 'neutral',
      input: Object.fromEntries(entryPoints.map((name) => [name, `src/${name}.ts`])),
      preserveEntrySignatures: 'strict',
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name].js',
        minifyInternalExports: false,
        codeSplitting: {
          groups: [
            joinImports('service', 'src/client.ts'),
            joinImports('sandbox', 'src/index.ts'),
            joinImports('matchers', 'src/vitest.ts'),
          ],
        },
      },
    },
  },
}

/** `vite build --mode cli`: the command with bundled dependencies, since a few files load faster than hundreds. */
const command: UserConfig = {
  ssr: { noExternal: true, external: ['jiti'] },
  build: {
    ...target,
    emptyOutDir: false,
    license: { fileName: 'cli/licenses.md' },
    rolldownOptions: {
      input: { main: 'src/node/cli/main.ts' },
      output: {
        // V8 compiles ES modules anew at each start, but not these: see src/node/cli/load.ts.
        format: 'cjs',
        entryFileNames: 'cli/[name].cjs',
        chunkFileNames: 'cli/[name].cjs',
        // Nobody bundles the command again, and V8 scans comments when it compiles.
        comments: { legal: true, annotation: false, jsdoc: false },
        // Names stay as they are; without the spaces between them, the file loads faster.
        minify: { mangle: false, compress: false, codegen: true },
        codeSplitting: { groups: [joinImports('shared', 'src/node/cli/main.ts')] },
      },
    },
  },
  plugins: [
    embedChoices(),
    findDatasets(),
    writeAscii(),
    formatForLoader(),
    emitModules({ 'cli.js': 'src/cli.ts', 'cli/load.js': 'src/node/cli/load.ts' }),
    makeExecutable('dist/cli.js'),
    restartOnBuild('dist/cli.js', 'start'),
  ],
}

/** The default dataset in two sizes, by the name of its file. */
const datasetKeys = new Map(
  (['small', 'medium'] as const).map((name) => [
    `${name}-default-dataset`,
    resolveDatasetKey({ size: name }, undefined, ''),
  ]),
)

/** `vite build --mode datasets`: the datasets that library and command read, generated once for both. */
const datasets: UserConfig = {
  build: {
    ...target,
    emptyOutDir: false,
    rolldownOptions: {
      input: [...datasetKeys.keys()],
      output: {
        entryFileNames: 'datasets/[name].js',
      },
    },
  },
  plugins: [generateDatasets()],
}

/** `vite build --mode console`: the page at the root of the control plane. */
const web: UserConfig = {
  root: 'src/pages',
  base: '/_sandbox/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    modulePreload: false,
    license: { fileName: 'licenses.md' },
    chunkSizeWarningLimit: 2_000,
  },
}

/**
 * Formats data as an expression that loads fast: JSON in ASCII, so that V8 stores a byte for each character, and without
 * apostrophes, so that `formatForLoader` can put it between them.
 */
function formatData(data: unknown): string {
  const json = escapeToAscii(JSON.stringify(data)).replaceAll("'", String.raw`\u0027`)
  return `JSON.parse(${JSON.stringify(json)})`
}

/** Joins the shared modules that an entry point imports statically in one file, since each additional one takes time to load. */
function joinImports(name: string, entryPoint: string): Rolldown.CodeSplittingGroup {
  const loaded = new Set<string>()
  return {
    debugName: name,
    minShareCount: 2,
    name(id, modules) {
      if (loaded.size === 0) loaded.add(resolve(entryPoint))
      // The loop visits what is added meanwhile.
      for (const module of loaded) {
        for (const imported of modules.getModuleInfo(module)?.importedIds ?? []) loaded.add(imported)
      }
      return loaded.has(id) ? name : null
    },
  }
}

/** Embeds what modules choose: names from Faker's locales, so that nobody loads these, and the version from package.json. */
function embedChoices(): Plugin {
  const codes = {
    'seed/people/name-lists.ts': `export const nameLists = ${formatData(nameLists)}`,
    'src/core/version.ts': `export const version = '${manifest.version}'`,
  }
  return {
    name: 'embed-choices',
    transform(_, id) {
      const choice = Object.entries(codes).find(([path]) => resolve(path) === resolve(id))
      // The source map shows the source instead.
      return choice && { code: choice[1], map: { mappings: '' } }
    },
  }
}

/** Writes the JSON Schemas of config and fixture files. */
function emitJsonSchemas(): Plugin {
  return {
    name: 'emit-json-schemas',
    async generateBundle() {
      const { generateJsonSchemas } = await import('./src/node/schemas/json-schemas.ts')
      for (const [fileName, schema] of generateJsonSchemas()) {
        this.emitFile({ type: 'asset', fileName, source: `${JSON.stringify(schema, null, 2)}\n` })
      }
    },
  }
}

/** Shows nothing of dependencies in source maps, which would be a fourth of their size. */
function leaveDependenciesOutOfMaps(): Plugin {
  return {
    name: 'leave-dependencies-out-of-maps',
    transform: (code, id) =>
      /[\\/]node_modules[\\/]/.test(id) ? { code, map: { mappings: '' } } : undefined,
  }
}

/** Generates the files of default datasets. */
function generateDatasets(): Plugin {
  return {
    name: 'generate-datasets',
    resolveId: (id) => (datasetKeys.has(id) ? id : undefined),
    async load(id) {
      const key = datasetKeys.get(id)
      if (!key) return undefined
      const content = await loadContent(key)
      const { rows } = createDataset(key, content, noTexts)
      const { organizations } = content
      const head = JSON.stringify({ organizations, leastSizes: await findLeastSizes(key, rows) })
      const lists = tableNames.map((name) => [...formatJson(rows[name], '\n    ')].join(''))
      const texts = [head, ...lists]
      if (texts.some((text) => /`|\$\{/.test(text)))
        throw new Error('A record has a backtick or ${, which would end its template. Change the text.')
      return `export default [${texts.map((text) => `String.raw\`${text}\``).join(', ')}]`
    },
  }
}

/** Lists default datasets in `seed/dataset/ready-made.ts`; not with `--watch`, as the generators may change. */
function findDatasets(): Plugin {
  return {
    name: 'find-datasets',
    resolveId: (id) => (id.startsWith('../datasets/') ? { id, external: true } : undefined),
    transform(code, id) {
      if (this.meta.watchMode || !/[\\/]seed[\\/]dataset[\\/]ready-made\.ts$/.test(id)) return undefined
      const list = [...datasetKeys].map(([name, key]) => {
        const file = `'../datasets/${name}.js'`
        const source = JSON.stringify(formatSource(key))
        return `{ source: ${source}, size: ${key.size}, file: ${file}, load: () => import(${file}) }`
      })
      return { code: code.replace(/(readyMade\b[^;]*?= )\[\]/, `$1[${list.join(', ')}]`), map: null }
    },
  }
}

/** Finds the smallest size of a dataset with each of its customers and members. */
async function findLeastSizes(key: DatasetSource, rows: Rows): Promise<ReadyMade['leastSizes']> {
  const fixture = await loadFixture(key.fixture, undefined)
  const least = { customers: new Map<number, number>(), members: new Map<number, number>() }
  for (let { size } = key; size >= 3; size -= 1) {
    const extent = { seed: key.seed, size, fixture }
    for (const ordinal of fixture.organizations.keys()) {
      for (const id of listCustomerIds(ordinal, extent)) least.customers.set(id, size)
      for (const id of listOrganizationIds('members', ordinal, extent)) least.members.set(id, size)
    }
  }
  const list = (table: keyof typeof least) => rows[table].map(({ id }) => least[table].get(id) ?? 0)
  return { customers: list('customers'), members: list('members') }
}

/** Escapes what is not ASCII: V8 then stores a byte for each character of a file, and the import takes 3 % less. */
function writeAscii(): Plugin {
  return formatFiles('write-ascii', (code) => {
    if (/String\.raw`[^`]*[^\0-\x7f]/.test(code)) throw new Error('A file has raw text that is not ASCII.')
    return escapeToAscii(code)
  })
}

/**
 * Formats code for `src/node/cli/load.ts`, which gives it a function in place of `import`. Its JSON is in strings, as V8 reads
 * the templates that the minifier chooses twice.
 */
function formatForLoader(): Plugin {
  return formatFiles('format-for-loader', (code) =>
    code
      .replace(/(?<=await |=>)import\(/g, 'importModule(')
      .replace(/(?<=JSON\.parse\()`([^'`]*)`/g, (template, json) =>
        json.includes('${') ? template : `'${json}'`,
      ),
  )
}

/** Formats the code of each built file. */
function formatFiles(name: string, format: (code: string) => string): Plugin {
  return {
    name,
    generateBundle(_, files) {
      for (const file of Object.values(files)) if (file.type === 'chunk') file.code = format(file.code)
    },
  }
}

function escapeToAscii(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Writes modules of the command that stay ES modules, by the names of their files. */
function emitModules(paths: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'emit-modules',
    buildStart() {
      for (const path of Object.values(paths)) this.addWatchFile(path)
    },
    async generateBundle() {
      const emit = async ([fileName, path]: readonly [string, string]) => {
        const { code } = await transformWithOxc(await readFile(path, 'utf8'), path)
        this.emitFile({
          type: 'asset',
          fileName,
          source: code.replace('./node/cli/load.ts', './cli/load.js'),
        })
      }
      await Promise.all(Object.entries(paths).map(emit))
    },
  }
}

/** Makes a built file executable. */
function makeExecutable(file: string): Plugin {
  return { name: 'make-executable', writeBundle: () => chmodSync(file, 0o755) }
}

/** With `--watch`: runs a built file and restarts it after each build, with the arguments after `--`. */
function restartOnBuild(file: string, ...args: readonly string[]): Plugin {
  const separator = process.argv.indexOf('--')
  const given = separator === -1 ? [] : process.argv.slice(separator + 1)
  let running: ChildProcess | undefined
  return {
    name: 'restart-on-build',
    async writeBundle() {
      if (!this.meta.watchMode) return
      if (!running) {
        process.once('exit', () => running?.kill())
        process.once('SIGTERM', () => process.exit()).once('SIGINT', () => process.exit())
      } else if (running.exitCode === null && running.signalCode === null) {
        running.kill()
        await once(running, 'exit')
      }
      running = spawn(process.execPath, [file, ...args, ...given], { stdio: 'inherit' })
    },
  }
}

const builds: Readonly<Record<string, UserConfig>> = { cli: command, datasets, console: web }

/** How long plugins take is no news to a reader of `npm start`. */
const quiet: UserConfig = { build: { rolldownOptions: { checks: { bundlerTimings: false } } } }

export default defineConfig(({ mode }) => mergeConfig(builds[mode] ?? library, quiet))
