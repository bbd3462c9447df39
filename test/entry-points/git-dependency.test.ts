import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect, it } from 'vitest'

import manifest from '../../package.json' with { type: 'json' }
import { temporaryFolder } from '../folders.ts'
import { isFullScale } from '../reliability/figures.ts'

/** Runs a program in a folder, and returns everything that it prints. */
function run(cwd: string, program: string, ...args: readonly string[]): string {
  const { VITEST: _, NODE_ENV: _mode, ...env } = process.env
  return execFileSync(program, args, { cwd, env, encoding: 'utf8', maxBuffer: 1 << 24 })
}

/** Runs Git in a folder, and returns its output. */
function git(cwd: string, ...args: readonly string[]): string {
  const settings = ['safe.directory=*', 'user.name=A', 'user.email=a@b.example'].flatMap((one) => ['-c', one])
  return run(cwd, 'git', ...settings, ...args)
}

/** Creates a bare Git repository whose only commit is the working tree. */
function createRepository(): string {
  const [source, folder] = [temporaryFolder(), temporaryFolder()]
  const files = git(
    resolve(),
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--deduplicate',
  )
  const deleted = new Set(git(resolve(), 'ls-files', '-z', '--deleted').split('\0'))
  for (const file of files.split('\0').filter((name) => name !== '' && !deleted.has(name))) {
    mkdirSync(dirname(join(source, file)), { recursive: true })
    cpSync(resolve(file), join(source, file))
  }
  git(source, 'init', '--quiet')
  git(source, 'add', '--all')
  git(source, 'commit', '--quiet', '--message', 'The working tree')
  git(source, 'clone', '--quiet', '--bare', '.', folder)
  return folder
}

// Builds everything anew.
it.runIf(isFullScale)('installs from a Git URL with npm alone: npm builds it, and the command runs', () => {
  const url = `git+${pathToFileURL(createRepository()).href}`
  const project = temporaryFolder()
  writeFileSync(join(project, 'package.json'), '{"name":"app","private":true}')
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund']
  run(project, 'npm', 'install', ...quiet, url)
  const installed = join(project, 'node_modules', manifest.name)
  expect(readdirSync(installed).toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
  for (const { types, default: code } of Object.values(manifest.exports).filter(
    (one) => typeof one !== 'string',
  )) {
    expect([types, code].map((file) => readFileSync(join(installed, file)).length > 0)).toEqual([true, true])
  }
  // The documentation takes as long to build as everything else, and is in the repository.
  expect(readdirSync(join(installed, 'dist'))).toEqual(expect.arrayContaining(['cli', 'console']))
  expect(readdirSync(join(installed, 'dist'))).not.toContain('docs')
  expect(run(project, 'npx', 'workspace-sandbox', '--version').trim()).toBe(manifest.version)
})

it('runs no script of its own where it is installed, and `npm ci` in the clone builds nothing', () => {
  const atInstall = new Set(['preinstall', 'install', 'postinstall', 'prepublish', 'prepare'])
  expect(Object.keys(manifest.scripts).filter((name) => atInstall.has(name))).toEqual([])
  const { dependencies } = manifest.scripts
  expect(dependencies).toMatch(/^node \S+ --git-dependency$/)
  const clone = temporaryFolder()
  cpSync('.ci/build-if-stale.mjs', join(clone, '.ci/build-if-stale.mjs'))
  // Without sources, every build fails.
  expect(run(clone, 'sh', '-c', dependencies)).toBe('')
  // As npm calls it for a Git dependency, and here, in a clone that is built.
  const asDependency = (folder: string) => run(folder, 'sh', '-c', `_PACOTE_NO_PREPARE_= ${dependencies}`)
  expect(() => asDependency(clone)).toThrow('Run npm ci first.')
  expect(asDependency(resolve())).toBe('')
})
