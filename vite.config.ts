import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

import { faker } from '@faker-js/faker/locale/en'
import { defineConfig, type Plugin, type UserConfig } from 'vite'

import manifest from './package.json' with { type: 'json' }
import { contentOf, sourceText } from './seed/content.ts'
import { datasetKey } from './src/options.ts'

/** The names of the public doors, one file of src/ each: what package.json exports. */
const doors = Object.values(manifest.exports).flatMap((door) =>
  typeof door === 'string' ? [] : [basename(door.default, '.js')],
)

/** Code for Node 20 and newer, as readable as the source. */
const target = { ssr: true, target: 'node20', minify: false } as const

/** `vite build`: the doors, with every dependency left to the installer. */
const library: UserConfig = {
  build: {
    ...target,
    sourcemap: true,
    rolldownOptions: {
      input: Object.fromEntries(doors.map((door) => [door, `src/${door}.ts`])),
      preserveEntrySignatures: 'strict',
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name].js',
        minifyInternalExports: false,
      },
    },
  },
}

/** `vite build --mode cli`: the command, its dependencies inside: a few files load faster than hundreds. */
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
        codeSplitting: {
          groups: [
            { name: 'faker', test: /[\\/]@faker-js[\\/]/ },
            // One file, because each further one slows the start down.
            { name: 'shared', test: /^(?!.*[\\/]fixture)/, minShareCount: 2 },
          ],
        },
      },
    },
  },
  plugins: [onlyPeople(), smallReadyMade(), executable('dist/cli.js'), restarting('dist/cli.js', 'start')],
}

/** A page for browsers: what it loads has names that change with the content. */
const page = (folder: string, path: string): UserConfig => ({
  root: `src/${folder}`,
  base: `${path}/`,
  build: {
    outDir: `../../dist/${folder}`,
    emptyOutDir: true,
    modulePreload: false,
    license: { fileName: 'licenses.md' },
    chunkSizeWarningLimit: 2_000,
  },
})

/** `vite build --mode docs`: the API reference. */
const reference: UserConfig = {
  ...page('docs', '/docs'),
  plugins: [licences('swagger-ui-dist', 'LICENSE', 'NOTICE', 'swagger-ui-es-bundle.js.LICENSE.txt')],
}

/** `vite build --mode console`: the page at the root of the control plane. */
const web: UserConfig = {
  ...page('console', '/_sandbox'),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
}

/** Leaves out of Faker's English words all but those about people: others are not drawn, and take longer to load. */
function onlyPeople(): Plugin {
  const door = '@faker-js/faker/locale/en'
  const { metadata, person } = faker.rawDefinitions
  const locale = JSON.stringify({ metadata, person })
  return {
    name: 'only-people',
    enforce: 'pre',
    resolveId: (id) => (id === door ? `\0${door}` : undefined),
    load: (id) =>
      id === `\0${door}`
        ? `import { Faker } from '@faker-js/faker'\nexport const faker = new Faker({ locale: ${locale} })`
        : undefined,
  }
}

/** Puts the small default dataset into `seed/ready-made.ts`; not with `--watch`, under which the generators change. */
function smallReadyMade(): Plugin {
  const content = 'small-default-dataset'
  const source = datasetKey({ size: 'small' }, undefined, '')
  return {
    name: 'small-ready-made',
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

/** Puts the licences of a package, and of what is inside of it, beside what was built from it. */
function licences(name: string, ...files: readonly string[]): Plugin {
  return {
    name: 'licences',
    generateBundle() {
      for (const fileName of files) {
        this.emitFile({ type: 'asset', fileName, source: readFileSync(`node_modules/${name}/${fileName}`) })
      }
    },
  }
}

/** Makes a built file one that a shell runs. */
function executable(file: string): Plugin {
  return { name: 'executable', writeBundle: () => chmodSync(file, 0o755) }
}

/** With `--watch`: runs a built file, and runs it anew after each build; what stands after `--` goes to it. */
function restarting(file: string, ...args: readonly string[]): Plugin {
  const separator = process.argv.indexOf('--')
  const given = separator === -1 ? [] : process.argv.slice(separator + 1)
  let running: ChildProcess | undefined
  return {
    name: 'restarting',
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

const builds: Readonly<Record<string, UserConfig>> = { cli: command, docs: reference, console: web }

export default defineConfig(({ mode }) => builds[mode] ?? library)
