import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { expect, it } from 'vitest'

import { defaultSettings } from '../../src/contract/settings.ts'
import { app } from '../../src/http/app.ts'
import { createLabControl as createWhole } from '../../src/lab/control.ts'
import { getContract } from '../../src/service/contract.ts'
import { endpoints } from '../../src/service/index.ts'
import { openState } from '../../src/sessions/open-state.ts'
import { sessionLimits } from '../../src/sessions/sessions.ts'
import { Storage } from '../../src/store/disk/storage.ts'
import { temporaryFolder } from '../folders.ts'
import { openSandbox, tokens } from '../support.ts'

/** The parts of the laboratory, each a folder. */
const laboratory = readdirSync('src/lab').filter((name) => !name.endsWith('.ts'))

const listPaths = ({ routes }: ReturnType<typeof createWhole>) => routes.map(({ path }) => path)

// The rooms before the laboratory import nothing of it: architecture.test.ts.
it('the control plane is whole without the parts of the laboratory, and their lines', async () => {
  const lines = readFileSync('src/lab/control.ts', 'utf8').split('\n')
  const others = lines.filter((line) => !laboratory.some((part) => line.toLowerCase().includes(part)))
  const file = join(temporaryFolder(), 'control.ts')
  writeFileSync(file, others.join('\n').replaceAll("'../", `'${resolve('src')}/`))
  const { createLabControl }: { createLabControl: typeof createWhole } = await import(file)
  const [own = [], all = []] = [createLabControl, createWhole].map((create) => listPaths(create()))
  expect(own.length).toBeGreaterThan(20)
  expect(all).toEqual(expect.arrayContaining(own))
  expect(all.length).toBeGreaterThan(own.length)
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
  const served = { sandbox: state, control: () => new Response(null, { status: 404 }) }
  const sandbox = await openSandbox({ size: 'small', now: '2026-01-15T12:00:00.000Z' })
  const headers = { authorization: `Bearer ${tokens.mara}`, 'content-type': 'application/json' }
  for (const { method, path } of endpoints) {
    const address = path.replace('{organizationId}', 'harbor').replaceAll(/\{\w+\}/g, '1')
    const body = method === 'POST' ? JSON.stringify({ categoryId: 1, content: 'Called them' }) : null
    const send = () => new Request(`http://sandbox/v1${address}`, { method, headers, body })
    const [alone, usual] = [await app.fetch(send(), { ...served }), await sandbox.fetch(send())]
    expect([alone.status, await alone.text()]).toEqual([usual.status, await usual.text()])
  }
})
