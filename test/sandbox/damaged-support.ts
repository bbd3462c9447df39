import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect } from 'vitest'

import { startSandbox } from '../../src/node.ts'
import {
  change,
  commit,
  createDatasetFile,
  member,
  readFiles,
  temporaryFolder,
  withDocuments,
} from '../folders.ts'

const restore =
  'Restore it from a copy or correct it, replace all data with reseed, or start on another folder with the option data.'

export const newer = (format: number) =>
  `it has format ${format}, and this version knows formats up to 2. Use the newer version of workspace-sandbox, or start on another folder with the option data.`

export const tooLong = 'must not be longer than 1048576 characters as JSON'

export const swap = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to)

/** A way to damage or edit a file of a folder with two members and two commits, and what is said about it. */
export type Damage = readonly [name: string, damage: (text: string) => string | Buffer, reason: string]

export async function createFolder(): Promise<string> {
  const folder = temporaryFolder()
  await withDocuments(folder, async (documents) => {
    await documents.replace(createDatasetFile([member(1), member(2)]), [])
    await documents.append([commit(change(3, 'One'))])
    await documents.append([commit(change(4, 'Two'))])
  })
  return folder
}

/** Expects that a folder is rejected with a reason, and what to do unless it says so itself, and left untouched. */
export async function expectRejection(folder: string, file: string, reason: string): Promise<void> {
  const before = readFiles(folder)
  const error: unknown = await startSandbox({ port: 0, data: folder }).catch((cause: unknown) => cause)
  expect(error).toMatchObject({ name: 'SandboxError', code: 'storage_unavailable' })
  const told = reason.endsWith('.') ? reason : `${reason.replace(/(?<!\?)$/, '.')} ${restore}`
  expect(String(error)).toBe(`SandboxError: Cannot read ${file} in ${folder}: ${told}`)
  expect(readFiles(folder)).toEqual(before)
}

/** Expects that a folder is rejected whose file was damaged, and left untouched. */
export async function expectDamage(file: string, [, damage, reason]: Damage): Promise<void> {
  const folder = await createFolder()
  const path = join(folder, file)
  writeFileSync(path, damage(readFileSync(path, 'utf8')))
  await expectRejection(folder, file, reason)
}
