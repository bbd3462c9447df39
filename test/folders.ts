import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { onTestFinished, type TestContext } from 'vitest'

import { openFolder } from '../src/store/files.ts'
import type { Change, SeededFile, Storage } from '../src/store/storage.ts'
import { forEachTable, type Row, type Rows } from '../src/store/tables.ts'

/** An empty folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'workspace-sandbox-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A disk of so many kibibytes, where this machine lets us have one; else the test is skipped. */
export function smallDisk({ skip }: Pick<TestContext, 'skip'>, size: number): string {
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

/** A copy of a folder as it is now: what its process would leave if it were killed. */
export function asKilled(folder: string): string {
  const copy = temporaryFolder()
  cpSync(folder, copy, { recursive: true })
  return copy
}

/** Every file of a folder with its bytes. Order: by name. */
export function contentOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).toSorted()
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'latin1')]))
}

/** What the journal of a folder says, without the NUL bytes behind it, which are room for more. */
export function journalOf(folder: string): string {
  return readFileSync(join(folder, 'changes.log'), 'utf8').replace(/\0+$/, '')
}

/** A dataset of one organization and nothing else, or of some members. */
export function smallDataset(
  members: readonly Row<'members'>[] = [],
): Omit<SeededFile, 'format' | 'generation'> {
  return {
    version: '0.0.0',
    key: { seed: 1, size: 3, fixture: 'default', now: '2026-01-15T12:00:00.000Z', clock: 'frozen' },
    organizations: [{ id: 'harbor', name: 'Harbor' }],
    rows: { ...forEachTable<Rows>(() => []), members },
  }
}

/** A member with an id. */
export function member(id: number): Row<'members'> {
  const name = { firstName: 'Mara', lastName: 'Holm', email: 'mara@harbor.example', title: 'Lead' }
  return { id, organizationId: 'harbor', ...name, managerId: id }
}

/** The change that is a new note. */
export function note(id: number, content = 'A note'): Change {
  const at = '2026-01-15T12:00:00.000Z'
  const row = { id, organizationId: 'harbor', customerId: 1, categoryId: 1, content, createdById: 1 }
  return { table: 'notes', id, row: { ...row, createdDate: at, updatedDate: at } }
}

/** Opens a folder, does something, and lets go of it. */
export async function within<T>(folder: string, work: (storage: Storage) => Promise<T>): Promise<T> {
  const { storage } = await openFolder(folder)
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

/** What a folder holds. */
export const loaded = (folder: string) => within(folder, (storage) => storage.load())

/** The changes that a folder holds. */
export async function changesIn(folder: string): Promise<readonly Change[] | undefined> {
  return (await loaded(folder))?.changes
}

/** A folder with a dataset and some notes, as a process leaves it that is killed: its changes in the journal. */
export async function killedFolder(notes: readonly Change[]): Promise<string> {
  const folder = temporaryFolder()
  return within(folder, async (storage) => {
    await storage.replace(smallDataset())
    for (const one of notes) await storage.append([one])
    return asKilled(folder)
  })
}
