import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'

import { SandboxError } from '../src/core/errors.ts'
import type { Commit } from '../src/store/change.ts'
import type { Documents } from '../src/store/disk/documents.ts'
import { openFolder } from '../src/store/disk/folder.ts'
import type { StoredDataset } from '../src/store/disk/formats.ts'
import { Storage } from '../src/store/disk/storage.ts'
import { type Change, forEachTable, type Row, type Rows } from '../src/store/tables.ts'

/** Creates an empty folder, which is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'workspace-sandbox-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Creates files, by default in a folder that is removed after the test; what is no text is written as JSON. */
export function folderWith(files: Readonly<Record<string, unknown>>, folder = temporaryFolder()): string {
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
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

/** Reads the lines of `changes.jsonl` in a folder. */
export function readLines(folder: string): string[] {
  return readFileSync(join(folder, 'changes.jsonl'), 'utf8').split('\n').slice(0, -1)
}

/** Creates a dataset of one organization, with members if given. */
export function createDatasetFile(members: readonly Row<'members'>[] = []): Omit<StoredDataset, 'id'> {
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

/** Creates a change that adds a member. */
export const change = (id: number, title = 'A title'): Change => ({
  table: 'members',
  id,
  row: { ...member(id), title },
})

export const commit = (...changes: readonly Change[]): Commit => ({
  at: '2026-01-15T12:00:00.000Z',
  by: 'control',
  changes,
})

export const resetCommit: Commit = { ...commit(), reset: true }

/** Opens the storage of a folder. */
export async function openStorage(folder: string): Promise<Storage> {
  return new Storage(await openFolder(folder))
}

/** Opens and reads a folder, runs work, and closes it. */
export async function withDocuments<T>(
  folder: string,
  work: (documents: Documents) => Promise<T>,
): Promise<T> {
  const documents = await openFolder(folder)
  try {
    await documents.load()
    return await work(documents)
  } finally {
    documents.close()
  }
}

/** Loads what a folder has. */
export const loadFolder = (folder: string) => withDocuments(folder, (documents) => documents.load())

/** Lists the changes that are in force in a folder. */
export async function readChanges(folder: string): Promise<readonly Change[] | undefined> {
  return (await loadFolder(folder))?.commits.flatMap(({ changes }) => changes)
}

/** Appends a commit, as a write that does not depend on others. */
export const append = (
  storage: Storage,
  decided: Commit,
  apply: () => void = () => undefined,
): Promise<void> => storage.append({ decide: () => decided, apply, mayDecideEarly: true })

const succeed = async () => undefined

/** Simulates a disk in memory that is full for commits that it does not accept: `accepts` is asked before each write. */
export class SimulatedDisk {
  readonly commits: Commit[] = []
  accepts: (commits: readonly Commit[]) => boolean | Promise<boolean> = () => true
  readonly storage = new Storage({
    load: succeed,
    append: async (commits) => {
      // The delay lets further writes wait.
      await new Promise((resolve) => setImmediate(resolve))
      if (!(await this.accepts(commits)))
        throw new SandboxError('storage_full', 'Cannot write changes.jsonl: the disk is full.')
      this.commits.push(...commits)
    },
    replace: succeed,
    close: () => undefined,
  })
}

export const full = { code: 'storage_full' }
