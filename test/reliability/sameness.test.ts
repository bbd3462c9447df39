import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, cpSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

import { expect, it, onTestFinished } from 'vitest'

import { exitCode, listening, noteContents, postNote } from '../entry-points/command.ts'
import { temporaryFolder } from '../folders.ts'
import { as, crawl, openSandbox, tokens } from '../support.ts'
import { chooseAmount, isFullScale } from './figures.ts'

const built = pathToFileURL(resolve('dist/index.js')).href

/** Runs in a process of its own with the built package; prints a hash of the responses to all requests. */
const script = `
import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { createSandbox } from ${JSON.stringify(built)}

const { options, requests } = JSON.parse(await text(process.stdin))
const sandbox = await createSandbox(options)
const hash = createHash('sha256')
for (const [token, path] of requests) {
  const headers = { authorization: 'Bearer ' + token }
  const response = await sandbox.fetch(new Request('http://sandbox/v1' + path, { headers }))
  hash.update(path + ' ' + response.status + ' ' + await response.text() + '\\n')
}
const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions()
console.log(JSON.stringify({ timeZone, locale, hash: hash.digest('hex') }))
`

const options = { seed: 42, size: chooseAmount(3, 12), fixture: 'edge-cases' } as const

/** Time zones and languages whose differences have broken programs. */
const places = [
  ['Pacific/Kiritimati', 'tr-TR'],
  ['America/St_Johns', 'ar-EG'],
  ['Asia/Tokyo', 'th-TH'],
  ['Africa/Casablanca', 'de-DE'],
  ['Etc/UTC', 'ja-JP'],
] as const

/** Hashes the responses to all requests in a process with another time zone and language. */
async function hashIn([timeZone, locale]: (typeof places)[number], input: object): Promise<string> {
  const language = `${locale.replace('-', '_')}.UTF-8`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: { TZ: timeZone, LANG: language, LC_ALL: language },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(input))
  const { hash, ...place }: Record<string, string> = JSON.parse(await text(child.stdout))
  expect(place).toEqual({ timeZone: timeZone.replace('Etc/', ''), locale })
  return hash ?? ''
}

it('returns the same bytes in every time zone and language', async () => {
  const visits = await crawl(as(await openSandbox(options), 'mara'))
  const requests = visits.map(({ path }) => [tokens.mara, path])
  const tried = isFullScale ? places : places.slice(0, 2)
  const hashes = await Promise.all(tried.map((place) => hashIn(place, { options, requests })))
  const hash = createHash('sha256')
  for (const { path, text: body } of visits) hash.update(`${path} 200 ${body}\n`)
  const here = hash.digest('hex')
  expect(hashes).toEqual(tried.map(() => here))
})

/** Names that have broken programs, one by one and combined. */
const parts = [
  'with space',
  '100%',
  '%20%zz',
  '#hash',
  `'"quotes"`,
  'new\nline',
  'ünï 東京 🏝️',
  '$HOME `x`;&',
]
const names = [...(isFullScale ? parts : []), parts.join(' ')]

/** The user without privileges; undefined if the current user cannot switch to it. */
const nobody = process.getuid?.() === 0 ? 65_534 : undefined
const who = nobody === undefined ? 'the current user, who cannot switch to nobody' : 'nobody'

/** Leaves out what V8 has compiled, which another process may be writing. */
const isBuilt = (path: string): boolean => !path.endsWith('.compiled')

/** Starts a copy of the built command, without a home directory, in its own folder. */
function startIn(folder: string) {
  const args = ['start', '--port', '0', '--size', 'small', '--json', '--data', 'data']
  const child = spawn(process.execPath, [join(folder, 'cli.js'), ...args], {
    cwd: folder,
    env: {},
    ...(nobody !== undefined && { uid: nobody, gid: nobody }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return listening(child)
}

it(`runs as ${who}, without a home directory, in a folder of any name`, async () => {
  for (const name of names) {
    const folder = join(temporaryFolder(), name)
    mkdirSync(folder)
    for (const part of ['cli.js', 'cli', 'datasets']) {
      cpSync(resolve('dist', part), join(folder, part), { recursive: true, filter: isBuilt })
    }
    if (nobody !== undefined) {
      chmodSync(dirname(folder), 0o755)
      chownSync(folder, nobody, nobody)
    }
    const first = await startIn(folder)
    await postNote(first.baseUrl, `Written in ${name}`)
    first.child.kill('SIGTERM')
    expect(await exitCode(first.child)).toBe(0)
    expect(await first.stderr).toBe('')
    const second = await startIn(folder)
    expect(await noteContents(second.baseUrl)).toContain(`Written in ${name}`)
    second.child.kill('SIGKILL')
  }
})
