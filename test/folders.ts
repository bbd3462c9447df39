import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { onTestFinished, type TestContext } from 'vitest'

import type { SeededFile } from '../src/disk/documents.ts'
import { openFolder } from '../src/disk/folder.ts'
import type { Storage } from '../src/disk/storage.ts'
import type { Change } from '../src/store/change.ts'
import { forEachTable, type Row, type Rows } from '../src/store/tables.ts'

/** Creates an empty folder, which is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'workspace-sandbox-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Mounts a disk of a size in KiB; skips the test if this machine does not allow it. */
export function mountDisk({ skip }: Pick<TestContext, 'skip'>, size: number): string {
  const folder = temporaryFolder()
  try {
    const command = `mount -t tmpfs -o size=${size}k tmpfs "$0"`
    execFileSync('sh', ['-c', command, folder], { stdio: 'ignore' })
  } catch {
    skip('a small disk can only be had as root on Linux')
  }
  // Lazily, as a server that has been killed may take a moment to end.
  onTestFinished(() => void execFileSync('sh', ['-c', 'umount -l "$0"', folder]))
  return folder
}

/** Copies a folder as it is now: as its process would leave it if it were killed. */
export function copyAsKilled(folder: string): string {
  const copy = temporaryFolder()
  cpSync(folder, copy, { recursive: true })
  return copy
}

/** Reads every file of a folder. Order: by name. */
export function readFiles(folder: string): Record<string, string> {
  const names = readdirSync(folder).toSorted()
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'latin1')]))
}

/** Reads the write-ahead log of a folder, without the NUL bytes at its end. */
export function readLog(folder: string): string {
  return readFileSync(join(folder, 'changes.log'), 'utf8').replace(/\0+$/, '')
}

/** Creates a dataset of one organization, with members if given. */
export function createDatasetFile(
  members: readonly Row<'members'>[] = [],
): Omit<SeededFile, 'format' | 'generation'> {
  return {
    version: '0.0.0',
    key: { seed: 1, size: 3, fixture: 'default', now: '2026-01-15T12:00:00.000Z', clock: 'frozen' },
    organizations: [{ id: 'harbor', name: 'Harbor' }],
    rows: { ...forEachTable<Rows>(() => []), members },
  }
}

export function member(id: number): Row<'members'> {
  const name = { firstName: 'Mara', lastName: 'Holm', email: 'mara@harbor.example', title: 'Lead' }
  return { id, organizationId: 'harbor', ...name, managerId: id }
}

export function note(id: number, content = 'A note'): Change {
  const at = '2026-01-15T12:00:00.000Z'
  const row = { id, organizationId: 'harbor', customerId: 1, categoryId: 1, content, createdById: 1 }
  return { table: 'notes', id, row: { ...row, createdDate: at, updatedDate: at } }
}

/** Opens a folder, runs work, and closes it. */
export async function withStorage<T>(folder: string, work: (storage: Storage) => Promise<T>): Promise<T> {
  const { storage } = await openFolder(folder)
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

export const loadFolder = (folder: string) => withStorage(folder, (storage) => storage.load())

export async function readChanges(folder: string): Promise<readonly Change[] | undefined> {
  return (await loadFolder(folder))?.changes
}

/** Creates a folder with a dataset and some notes as a killed process leaves it: with its changes in the log. */
export async function createKilledFolder(notes: readonly Change[]): Promise<string> {
  const folder = temporaryFolder()
  return withStorage(folder, async (storage) => {
    await storage.replace(createDatasetFile())
    for (const one of notes) await storage.append([one])
    return copyAsKilled(folder)
  })
}
