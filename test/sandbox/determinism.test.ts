import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

import { expect, test } from 'vitest'

import type { Sandbox } from '../../src/index.ts'
import { as, crawl, openSandbox, type Page, tokens, type Visit } from '../support.ts'

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
const people = ['mara', 'theo', 'jonas', 'omar'] as const

/** Everything that some members can read, and their scopes. */
async function everything(sandbox: Sandbox): Promise<(Visit & { readonly token: string })[]> {
  const visits: (Visit & { readonly token: string })[] = []
  for (const name of people) {
    const client = as(sandbox, name)
    const token = tokens[name]
    visits.push(...(await crawl(client)).map((visit) => ({ ...visit, token })))
    const organization = name === 'omar' ? 'quill' : 'harbor'
    for (const list of ['customers', 'signals']) {
      for (const scope of ['team', 'mine']) {
        const path = `/organizations/${organization}/${list}?scope=${scope}&limit=250`
        const body = await (await client.send(path)).text()
        visits.push({ operationId: list, path, text: body, token })
      }
    }
  }
  return visits
}

/** Hashes over size `small`. They change with the generators and the default fixture, and then on purpose. */
const golden = {
  seed1: '796f98eb076d46ae987c75cc03db0ac8f5a89959234b9af7ff95727e2b26c796',
  seed42: 'ca5cf402b77c4b7875e37a1cb85c2824fa3937046799a6482788263c867750cd',
  seed2026: '709ce2ded52a87592caa6eb81c74deed611a6041ba47d128d594bc0d04f03074',
}

async function inProcess(
  environment: Record<string, string>,
  input: object,
): Promise<Record<string, string>> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(input))
  return JSON.parse(await text(child.stdout))
}

test('two processes in other time zones and languages give the same SHA-256 over everything', async () => {
  const visits = await everything(await openSandbox(options))
  const requests = visits.map(({ token, path }) => [token, path])
  const [kiritimati, newfoundland] = await Promise.all([
    inProcess(
      { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
      { options, requests },
    ),
    inProcess({ TZ: 'America/St_Johns', LANG: 'ar_EG.UTF-8', LC_ALL: 'ar_EG.UTF-8' }, { options, requests }),
  ])
  expect(kiritimati).toMatchObject({ timeZone: 'Pacific/Kiritimati', locale: 'tr-TR' })
  expect(newfoundland).toMatchObject({ timeZone: 'America/St_Johns', locale: 'ar-EG' })
  const hash = createHash('sha256')
  for (const { path, text: body } of visits) hash.update(`${path} 200 ${body}\n`)
  const here = hash.digest('hex')
  expect([kiritimati['hash'], newfoundland['hash']]).toEqual([here, here])
})

test('seed 1 has the fingerprint that it always had', async () => {
  const { dataset } = await openSandbox({ seed: 1 })
  expect(await dataset.fingerprint()).toBe(golden.seed1)
})

test('seed 42 has the fingerprint that it always had', async () => {
  const { dataset } = await openSandbox({ seed: 42 })
  expect(await dataset.fingerprint()).toBe(golden.seed42)
})

test('seed 2026 has the fingerprint that it always had', async () => {
  const { dataset } = await openSandbox({ seed: 2026 })
  expect(await dataset.fingerprint()).toBe(golden.seed2026)
})

test('the fingerprint stands in health', async () => {
  const sandbox = await openSandbox({ seed: 42 })
  const response = await sandbox.fetch(new Request('http://sandbox/_sandbox/health'))
  const fingerprint = await sandbox.dataset.fingerprint()
  expect(await response.json()).toMatchObject({ seed: 42, size: 25, fixture: 'default', fingerprint })
})

test('the fingerprint changes with seed, size, fixture and now', async () => {
  const base = { seed: 1, size: 3, fixture: 'empty', now: '2026-01-15T12:00:00.000Z' }
  const variants = [
    base,
    { ...base, seed: 2, fixture: 'default' },
    { ...base, fixture: 'default' },
    { ...base, size: 4, fixture: 'default' },
    { ...base, now: '2026-01-15T12:00:00.001Z' },
  ]
  const opened = await Promise.all(variants.map((each) => openSandbox(each)))
  const fingerprints = await Promise.all(opened.map(({ dataset }) => dataset.fingerprint()))
  expect(new Set(fingerprints).size).toBe(variants.length)
})

test('the same seed, size, fixture and now give the same bytes', async () => {
  const first = await everything(await openSandbox(options))
  expect(await everything(await openSandbox(options))).toEqual(first)
})

test('reseeding and reseeding back gives the same bytes', async () => {
  const sandbox = await openSandbox({ seed: 42, size: 5 })
  const before = await everything(sandbox)
  await sandbox.reseed({ seed: 7 })
  expect(await everything(sandbox)).not.toEqual(before)
  await sandbox.reseed({ seed: 42 })
  expect(await everything(sandbox)).toEqual(before)
})

test('a larger size keeps every record of the smaller one as it is', async () => {
  const small = await crawl(as(await openSandbox({ size: 10 }), 'mara'))
  const large = await crawl(as(await openSandbox({ size: 60 }), 'mara'))
  const texts = new Map(large.map(({ path, text: body }) => [path, body]))
  const records = small.filter(({ operationId }) => operationId.startsWith('get'))
  expect(records.length).toBeGreaterThan(50)
  for (const { path, text: body } of records) expect(texts.get(path), `GET ${path}`).toBe(body)
})

test('a larger size keeps the lists of the smaller one as their beginning', async () => {
  const small = as(await openSandbox({ size: 10 }), 'mara')
  const large = as(await openSandbox({ size: 60 }), 'mara')
  for (const list of ['customers', 'signals']) {
    const path = `/organizations/harbor/${list}?limit=250`
    const { items } = await small.get<Page<object>>(path)
    expect((await large.get<Page<object>>(path)).items.slice(0, items.length)).toEqual(items)
  }
})

test('a larger size keeps what belongs to the customers of the smaller one', async () => {
  const small = await crawl(as(await openSandbox({ size: 10 }), 'mara'))
  const large = await crawl(as(await openSandbox({ size: 60 }), 'mara'))
  const texts = new Map(large.map(({ path, text: body }) => [path, body]))
  const lists = small.filter(({ path }) => /\/customers\/\d+\/(?:notes|meetings|briefs)/.test(path))
  expect(lists.length).toBeGreaterThan(50)
  for (const { path, text: body } of lists) expect(texts.get(path), `GET ${path}`).toBe(body)
})
