import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect, it } from 'vitest'

import manifest from '../../package.json' with { type: 'json' }
import { folderWith, temporaryFolder } from '../folders.ts'
import { isFullScale } from '../reliability/figures.ts'
import { runCommand } from './recipe.ts'

const run = (cwd: string, program: string, ...args: readonly string[]) => runCommand(program, args, { cwd })

/** Runs Git in a folder, and returns its output. */
function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const settings = ['safe.directory=*', 'user.name=A', 'user.email=a@b.example'].flatMap((one) => ['-c', one])
  return run(cwd, 'git', ...settings, ...args)
}

/** Creates a bare Git repository whose only commit is the working tree. */
async function createRepository(): Promise<string> {
  const [source, folder] = [temporaryFolder(), temporaryFolder()]
  const files = await git(
    resolve(),
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--deduplicate',
  )
  const deleted = new Set((await git(resolve(), 'ls-files', '-z', '--deleted')).split('\0'))
  for (const file of files.split('\0').filter((name) => name !== '' && !deleted.has(name))) {
    mkdirSync(dirname(join(source, file)), { recursive: true })
    cpSync(resolve(file), join(source, file))
  }
  await git(source, 'init', '--quiet')
  await git(source, 'add', '--all')
  await git(source, 'commit', '--quiet', '--message', 'The working tree')
  await git(source, 'clone', '--quiet', '--bare', '.', folder)
  return folder
}

// Builds everything anew.
it.runIf(isFullScale)(
  'installs from a Git URL with npm alone: npm builds it, and the command runs',
  async () => {
    const url = `git+${pathToFileURL(await createRepository()).href}`
    const project = folderWith({ 'package.json': { name: 'app', private: true } })
    const quiet = ['--prefer-offline', '--no-audit', '--no-fund']
    await run(project, 'npm', 'install', ...quiet, url)
    const installed = join(project, 'node_modules', manifest.name)
    expect(readdirSync(installed).toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
    for (const { types, default: code } of Object.values(manifest.exports).filter(
      (one) => typeof one !== 'string',
    )) {
      expect([types, code].map((file) => readFileSync(join(installed, file)).length > 0)).toEqual([
        true,
        true,
      ])
    }
    // The documentation takes as long to build as everything else, and is in the repository.
    expect(readdirSync(join(installed, 'dist'))).toEqual(expect.arrayContaining(['cli', 'console']))
    expect(readdirSync(join(installed, 'dist'))).not.toContain('docs')
    expect((await run(project, 'npx', 'workspace-sandbox', '--version')).trim()).toBe(manifest.version)
  },
)

it('runs no script of its own where it is installed, and `npm ci` in the clone builds nothing', async () => {
  const atInstall = new Set(['preinstall', 'install', 'postinstall', 'prepublish', 'prepare'])
  expect(Object.keys(manifest.scripts).filter((name) => atInstall.has(name))).toEqual([])
  const { dependencies } = manifest.scripts
  expect(dependencies).toMatch(/^node \S+ --git-dependency$/)
  const clone = temporaryFolder()
  cpSync('.ci/build-if-stale.mjs', join(clone, '.ci/build-if-stale.mjs'))
  // Without sources, every build fails.
  expect(await run(clone, 'sh', '-c', dependencies)).toBe('')
  // As npm calls it for a Git dependency, and here, in a clone that is built.
  const asDependency = (folder: string) => run(folder, 'sh', '-c', `_PACOTE_NO_PREPARE_= ${dependencies}`)
  await expect(asDependency(clone)).rejects.toThrow('Run npm ci first.')
  expect(await asDependency(resolve())).toBe('')
})
