import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, cpSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

import { expect, it, onTestFinished } from 'vitest'

import { exitCode, listening, noteContents, postNote } from '../doors/command.ts'
import { temporaryFolder } from '../folders.ts'
import { everything, openSandbox } from '../support.ts'
import { isLong, tell } from './figures.ts'

const built = pathToFileURL(resolve('dist/index.js')).href

/** Runs in a process of its own, over what is built: answers one hash over the answers to all requests. */
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

const options = { seed: 42, size: 12, fixture: 'edge-cases' } as const

/** Time zones and languages that differ in all that a program may trip over. */
const places = [
  ['Pacific/Kiritimati', 'tr-TR'],
  ['America/St_Johns', 'ar-EG'],
  ['Asia/Tokyo', 'th-TH'],
  ['Africa/Casablanca', 'de-DE'],
  ['Etc/UTC', 'ja-JP'],
] as const

/** A hash over the answers to all requests, made by a process in another place. */
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

it('gives the same SHA-256 over everything, whatever the time zone and the language', async (context) => {
  const visits = await everything(await openSandbox(options))
  const requests = visits.map(({ token, path }) => [token, path])
  const tried = isLong ? places : places.slice(0, 2)
  const hashes = await Promise.all(tried.map((place) => hashIn(place, { options, requests })))
  const hash = createHash('sha256')
  for (const { path, text: body } of visits) hash.update(`${path} 200 ${body}\n`)
  const here = hash.digest('hex')
  expect(hashes).toEqual(tried.map(() => here))
  tell(context, 'sameness', 'one digest over 5 zones × locales', `one over ${tried.length}`)
})

/** Names that have broken programs, one by one and all at once. */
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
const names = [...(isLong ? parts : []), parts.join(' ')]

/** As whom a program may be run that may do nothing; undefined where this user may not do that. */
const nobody = process.getuid?.() === 0 ? 65_534 : undefined
const who = nobody === undefined ? 'this user, who may not become nobody' : 'nobody'

/** Starts a copy of what is built, without a home, in the folder that it lies in. */
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

it(`runs as ${who}, without a home, in a folder of any name`, { timeout: 60_000 }, async (context) => {
  for (const name of names) {
    const folder = join(temporaryFolder(), name)
    mkdirSync(folder)
    for (const part of ['cli.js', 'cli']) {
      cpSync(resolve('dist', part), join(folder, part), { recursive: true })
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
  tell(context, 'sameness', 'as nobody, without HOME, in odd folders', `as ${who}, in ${names.length}`)
})
