import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

import { defineConfig, type Plugin, type UserConfig } from 'vite'

import manifest from './package.json' with { type: 'json' }
import { contentOf, sourceText } from './seed/content.ts'
import { nameLists } from './seed/name-lists.ts'
import { docsSite } from './src/docs/build/docs-site.ts'
import { resolveDatasetKey } from './src/store/dataset-options.ts'

/** The entry points that package.json exports, each a file directly in src/. */
const entryPoints = Object.values(manifest.exports).flatMap((entry) =>
  typeof entry === 'string' ? [] : [basename(entry.default, '.js')],
)

/** Readable code for Node 20 and newer. */
const target = { ssr: true, target: 'node20', minify: false } as const

/** `vite build`: the entry points, with external dependencies. */
const library: UserConfig = {
  plugins: [embedNameLists(), emitJsonSchemas()],
  build: {
    ...target,
    sourcemap: true,
    rolldownOptions: {
      input: Object.fromEntries(entryPoints.map((name) => [name, `src/${name}.ts`])),
      preserveEntrySignatures: 'strict',
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name].js',
        minifyInternalExports: false,
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
      input: { cli: 'src/cli.ts' },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'cli/[name].js',
        // Nobody bundles the command again, and V8 scans comments at each start.
        comments: { legal: true, annotation: false, jsdoc: false },
        codeSplitting: {
          groups: [
            // A single file, because each additional one slows down the start.
            { name: 'shared', test: /^(?!.*[\\/]fixture)/, minShareCount: 2 },
          ],
        },
      },
    },
  },
  plugins: [
    embedNameLists(),
    dropFakerWords(),
    embedSmallDataset(),
    makeExecutable('dist/cli.js'),
    restartOnBuild('dist/cli.js', 'start'),
  ],
}

/** Configures a web page whose assets have content hashes in their names. */
const configurePage = (folder: string, path: string, files = ['index.html']): UserConfig => ({
  root: `src/${folder}`,
  base: `${path}/`,
  build: {
    outDir: `../../dist/${folder}`,
    emptyOutDir: true,
    modulePreload: false,
    license: { fileName: 'licenses.md' },
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: { input: files.map((file) => `src/${folder}/${file}`) },
  },
})

/** `vite build --mode docs`: the guide and the API reference. */
const docs: UserConfig = {
  ...configurePage('docs', '/docs', ['index.html', 'guide.html']),
  plugins: [
    docsSite('docs'),
    copyLicenses('swagger-ui-dist', 'LICENSE', 'NOTICE', 'swagger-ui-es-bundle.js.LICENSE.txt'),
  ],
}

/** `vite build --mode console`: the page at the root of the control plane. */
const web: UserConfig = {
  ...configurePage('console', '/_sandbox'),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
}

/** Embeds the names that are chosen from Faker's locales, so that nobody loads the locales. */
function embedNameLists(): Plugin {
  const code = `export const nameLists = JSON.parse(${JSON.stringify(JSON.stringify(nameLists))})`
  return {
    name: 'embed-name-lists',
    // The source map shows the source instead of the names.
    transform: (_, id) =>
      /[\\/]seed[\\/]name-lists\.ts$/.test(id) ? { code, map: { mappings: '' } } : undefined,
  }
}

/** Writes the JSON Schemas of config and fixture files. */
function emitJsonSchemas(): Plugin {
  return {
    name: 'emit-json-schemas',
    async generateBundle() {
      const { generateJsonSchemas } = await import('./src/schemas/json-schemas.ts')
      for (const [fileName, schema] of generateJsonSchemas()) {
        this.emitFile({ type: 'asset', fileName, source: `${JSON.stringify(schema, null, 2)}\n` })
      }
    },
  }
}

/** Replaces Faker's base locale, whose words are unused and slow to load. */
function dropFakerWords(): Plugin {
  const module = '@faker-js/faker/locale/base'
  return {
    name: 'drop-faker-words',
    enforce: 'pre',
    resolveId: (id) => (id === module ? `\0${module}` : undefined),
    load: (id) =>
      id === `\0${module}`
        ? `import { Faker } from '@faker-js/faker'\nexport const faker = new Faker({ locale: {} })`
        : undefined,
  }
}

/** Embeds the small default dataset in `seed/ready-made.ts`; not with `--watch`, as the generators may change. */
function embedSmallDataset(): Plugin {
  const content = 'small-default-dataset'
  const source = resolveDatasetKey({ size: 'small' }, undefined, '')
  return {
    name: 'embed-small-dataset',
    resolveId: (id) => (id === content ? id : undefined),
    async load(id) {
      if (id === content) {
        return `export default JSON.parse(${JSON.stringify(JSON.stringify(await contentOf(source)))})`
      }
      if (this.meta.watchMode || !/[\\/]seed[\\/]ready-made\.ts$/.test(id)) return undefined
      const loading = `() => import('${content}').then((made) => made.default)`
      return `export const readyMade = new Map([[${JSON.stringify(sourceText(source))}, ${loading}]])`
    },
  }
}

/** Copies the licenses of a package and its bundled dependencies into the build. */
function copyLicenses(name: string, ...files: readonly string[]): Plugin {
  return {
    name: 'copy-licenses',
    generateBundle() {
      for (const fileName of files) {
        this.emitFile({ type: 'asset', fileName, source: readFileSync(`node_modules/${name}/${fileName}`) })
      }
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

const builds: Readonly<Record<string, UserConfig>> = { cli: command, docs, console: web }

export default defineConfig(({ mode }) => builds[mode] ?? library)
