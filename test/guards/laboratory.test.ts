import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
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

/** The rooms of the service and its control plane. */
const rooms = ['core', 'contract', 'store', 'service', 'testing', 'sessions', 'http', 'control']

it('the service and its control plane are whole without the laboratory', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'src'))
  for (const room of rooms) cpSync(join('src', room), join(folder, 'src', room), { recursive: true })
  for (const name of ['seed', 'fixtures']) cpSync(name, join(folder, name), { recursive: true })
  for (const name of ['package.json', 'tsconfig.json']) cpSync(name, join(folder, name))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  writeFileSync(
    join(folder, 'service.json'),
    JSON.stringify({ extends: './tsconfig.json', include: ['src', 'seed'] }),
  )
  const tool = resolve('node_modules/.bin/tsc')
  expect(() => execFileSync(tool, ['-p', 'service.json'], { cwd: folder, encoding: 'utf8' })).not.toThrow()
})

it('every operation answers without the laboratory as with it', async () => {
  const parts = { storage: new Storage(), limits: sessionLimits, contract: getContract(defaultSettings) }
  const state = await openState({ size: 'small', now: '2026-01-15T12:00:00.000Z' }, parts, undefined)
  const app = createApp(state, { fetch: () => new Response(null, { status: 404 }) })
  const sandbox = await openSandbox({ size: 'small', now: '2026-01-15T12:00:00.000Z' })
  const headers = { authorization: `Bearer ${tokens.mara}`, 'content-type': 'application/json' }
  for (const { method, path } of endpoints) {
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'organizationId' ? 'harbor' : '1'))
    const body = method === 'POST' ? JSON.stringify({ categoryId: 1, content: 'Called them' }) : null
    const send = () => new Request(`http://sandbox/v1${address}`, { method, headers, body })
    const [alone, usual] = [await app.fetch(send(), {}), await sandbox.fetch(send())]
    expect(await alone.text(), `${method} ${path}`).toBe(await usual.text())
    expect(alone.status).toBe(usual.status)
  }
})
