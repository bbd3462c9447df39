import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { expect, it } from 'vitest'

import { defaultSettings } from '../../src/contract/settings.ts'
import { createApp } from '../../src/http/app.ts'
import { getContract } from '../../src/service/contract.ts'
import { endpoints } from '../../src/service/index.ts'
import { openState } from '../../src/sessions/open-state.ts'
import { sessionLimits } from '../../src/sessions/sessions.ts'
import { Storage } from '../../src/store/disk/storage.ts'
import { temporaryFolder } from '../folders.ts'
import { openSandbox, tokens } from '../support.ts'

/** The service and its control plane, without the rooms after them. */
const rooms = ['core', 'contract', 'store', 'service', 'testing', 'sessions', 'http', 'control']
const copied = [...rooms.map((room) => `src/${room}`), 'seed', 'fixtures', 'package.json', 'tsconfig.json']

/** The parts of the laboratory, each a folder. */
const laboratory = readdirSync('src/lab').filter((name) => !name.endsWith('.ts'))

it('the service and its control plane are whole without the parts of the laboratory, and their lines', () => {
  const folder = temporaryFolder()
  for (const name of copied) cpSync(name, join(folder, name), { recursive: true })
  const lines = readFileSync('src/lab/control.ts', 'utf8').split('\n')
  const others = lines.filter((line) => !laboratory.some((part) => line.toLowerCase().includes(part)))
  mkdirSync(join(folder, 'src/lab'))
  writeFileSync(join(folder, 'src/lab/control.ts'), others.join('\n'))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const config = { extends: './tsconfig.json', include: ['src', 'seed'] }
  writeFileSync(join(folder, 'service.json'), JSON.stringify(config))
  const check = spawnSync(resolve('node_modules/.bin/tsc'), ['-p', 'service.json'], { cwd: folder })
  expect(check.stdout.toString()).toBe('')
  expect(check.status).toBe(0)
})

it.each(laboratory)('no other part of the laboratory needs %s', (part) => {
  const files = readdirSync('src/lab', { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.includes('/'),
  )
  const others = files.filter((path) => path.endsWith('.ts') && !path.startsWith(`${part}/`))
  expect(others.length).toBeGreaterThan(10)
  expect(others.filter((path) => readFileSync(join('src/lab', path), 'utf8').includes(`/${part}/`))).toEqual(
    [],
  )
})

it('every operation answers without the laboratory as with it', async () => {
  const parts = { storage: new Storage(), limits: sessionLimits, contract: getContract(defaultSettings) }
  const state = await openState({ size: 'small', now: '2026-01-15T12:00:00.000Z' }, parts, undefined)
  const app = createApp(state, { fetch: () => new Response(null, { status: 404 }) })
  const sandbox = await openSandbox({ size: 'small', now: '2026-01-15T12:00:00.000Z' })
  const headers = { authorization: `Bearer ${tokens.mara}`, 'content-type': 'application/json' }
  for (const { method, path } of endpoints) {
    const address = path.replace('{organizationId}', 'harbor').replaceAll(/\{\w+\}/g, '1')
    const body = method === 'POST' ? JSON.stringify({ categoryId: 1, content: 'Called them' }) : null
    const send = () => new Request(`http://sandbox/v1${address}`, { method, headers, body })
    const [alone, usual] = [await app.fetch(send(), {}), await sandbox.fetch(send())]
    expect([alone.status, await alone.text()]).toEqual([usual.status, await usual.text()])
  }
})
