import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { Low } from 'lowdb'
import { expect, it } from 'vitest'

import { openJsonFile } from '../../src/store/disk/json-file.ts'
import { temporaryFolder } from '../folders.ts'

interface Settings {
  readonly theme: string
}

const format = {
  parse: (bytes: Uint8Array): Settings => JSON.parse(new TextDecoder().decode(bytes)),
  format: ({ theme }: Settings) => ['{"theme":', JSON.stringify(theme), '}'],
}

function openSettings(check?: () => void) {
  const folder = temporaryFolder()
  const path = join(folder, 'settings.json')
  const open = () => new Low(openJsonFile(path, { ...format, check }), { theme: 'light' })
  return { folder, path, open, db: open() }
}

it('keeps the default data until something was written', async () => {
  const { db, open } = openSettings()
  await db.read()
  expect(db.data).toEqual({ theme: 'light' })
  await db.update((data) => Object.assign(data, { theme: 'dark' }))
  const again = open()
  await again.read()
  expect(again.data).toEqual({ theme: 'dark' })
})

it('writes nothing that a check rejects', async () => {
  const refusal = new Error('no')
  const { db, folder } = openSettings(() => {
    throw refusal
  })
  await expect(db.write()).rejects.toBe(refusal)
  expect(readdirSync(folder)).toEqual([])
})

it('writes JSON of any length in a format of its own', async () => {
  const { db, path } = openSettings()
  db.data = { theme: 'x'.repeat(2_000_000) }
  await db.write()
  expect(readFileSync(path, 'utf8')).toBe(`{"theme":"${'x'.repeat(2_000_000)}"}`)
  writeFileSync(path, '{')
  await expect(db.read()).rejects.toThrow(SyntaxError)
})
