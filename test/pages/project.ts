import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'

import { hasTests, joinModule, type Plan, PRINTED } from './plan.ts'
import type { ShellOptions } from './shell.ts'

const toName = (page: string): string => page.replace(/\.md$/, '').replace('/', '-')

/**
 * Writes what runs the blocks of pages, and checks the types of their modules, into a folder of a project that has the
 * package.
 */
export async function writeProject(root: string, plans: readonly Plan[]): Promise<void> {
  const bin = join(root, 'bin')
  writePrograms(bin)
  write(join(root, 'package.json'), '{"type":"module"}')
  write(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['types'] }))
  const include: string[] = []
  const ports = findPorts()
  for (const plan of plans) {
    const name = toName(plan.page)
    const createOptions = async (own: string): Promise<ShellOptions> => {
      const { value: port = 0 } = await ports.next()
      return { folder: join(root, 'run', name), own: join(root, 'own', name, own), port, bin }
    }
    const options = await createOptions('page')
    mkdirSync(options.folder, { recursive: true })
    const toOwnPort = (code: string): string => code.replaceAll(/\b4500\b/g, String(options.port))
    // A file that a page writes twice has its first content at the start.
    for (const step of plan.steps.toReversed()) {
      if (step.kind === 'shell') continue
      if (step.kind === 'file') {
        const code = `${step.block.code}\n`
        write(join(options.folder, step.file), toOwnPort(code))
        writeTyped(join(root, 'types', name, step.file), code)
        continue
      }
      const { module } = step
      const code = joinModule(module)
      writeTyped(join(root, 'types', name, module.name), code)
      const hasOwnFile = hasTests(module)
      const own = hasOwnFile ? await createOptions(module.name) : options
      const start = hasOwnFile ? call('runModule', module, own) : ''
      const recorded = recordPrinted(plan.page, code.replaceAll(/\b4500\b/g, String(own.port)))
      write(join(options.folder, module.name), start + recorded)
      if (hasOwnFile) include.push(`run/${name}/${module.name}`)
    }
    for (const quote of plan.quotes) {
      const module = { name: `quote-${quote.line}.ts`, blocks: [quote] }
      write(join(root, 'types', name, module.name), joinModule(module))
    }
    if (plan.steps.every((step) => step.kind === 'module' && hasTests(step.module))) continue
    write(join(root, 'run', `${name}.page.ts`), call('runPage', plan, options))
    include.push(`run/${name}.page.ts`)
  }
  const test = {
    include,
    pool: 'forks',
    // Importing the library into each file anew would take longer than the pages.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  }
  write(join(root, 'vitest.config.js'), `export default ${JSON.stringify({ test })}`)
}

/** Writes a call of a function of `run-page.ts`, in one line. */
function call(name: string, ...args: readonly unknown[]): string {
  const runner = JSON.stringify(resolve(import.meta.dirname, 'run-page.ts'))
  const values = args.map((value) => JSON.stringify(value)).join(', ')
  return `import { ${name} } from ${runner}; ${name}(${values});`
}

/** Writes a file if TypeScript checks its types. */
function writeTyped(file: string, code: string): void {
  if (/\.tsx?$/.test(file)) write(file, code)
}

function write(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

/** Records what a module prints at the lines that show it. */
const recordPrinted = (page: string, code: string): string =>
  code
    .split('\n')
    .map((line, index) => {
      const [, indent, values] = PRINTED.exec(line) ?? []
      return values === undefined ? line : `${indent}printLine('${page}:${index + 1}', ${values})`
    })
    .join('\n')

const compilerOptions = {
  target: 'es2023',
  lib: ['es2023', 'esnext.disposable', 'dom', 'dom.iterable', 'dom.asynciterable'],
  module: 'nodenext',
  moduleDetection: 'force',
  allowImportingTsExtensions: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
}

/** Writes the programs that pages use instead of those that need a network or a terminal. */
function writePrograms(bin: string): void {
  const command = join(dirname(dirname(bin)), 'node_modules', 'workspace-sandbox', 'dist', 'cli.js')
  const programs = {
    npx: 'exec "$@"',
    'workspace-sandbox': `exec '${process.execPath}' '${command}' "$@"`,
    // Without a terminal, curl reports its progress.
    curl: 'PATH="${PATH#*:}"; exec curl --silent --show-error "$@"',
  }
  for (const [name, script] of Object.entries(programs)) {
    write(join(bin, name), `#!/usr/bin/env bash\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
}

/** Finds free ports below those that systems give to clients. */
async function* findPorts(): AsyncGenerator<number, undefined> {
  for (let port = 10_000 + (process.pid % 1_000) * 20; port < 32_000; port++) {
    if (await isFree(port)) yield port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}

/** Lists the errors in the output of tsc; modules have the line numbers of their pages. */
export function listTypeErrors(output: string): readonly string[] {
  const errors = output.split('\n').filter((line) => line.includes('error TS'))
  // The files that a quote imports are elsewhere, and Jest has globals, but every other name is there.
  return errors.filter((line) => !line.includes('/quote-') || /Cannot find name '(?!before|after)/.test(line))
}
