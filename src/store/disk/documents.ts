import { resolve } from 'node:path'

import { type Adapter, Low } from 'lowdb'

import { SandboxError } from '../../core/errors.ts'
import { letOthersRun } from '../../core/system-clock.ts'
import { type Commit, FORMAT, type Header, type Line } from '../change.ts'
import type { Dangling } from '../references.ts'
import { forEachTable, nameRecord, type TableName } from '../tables.ts'
import { formatDataset, lineNumbers, parseDataset, parseLine, type StoredDataset } from './formats.ts'
import { readIfThere, replaceFile } from './json-file.ts'
import { JsonLines } from './json-lines.ts'
import type { Lock } from './lock.ts'
import { DamagedFile, toReadError, toWriteError } from './storage-errors.ts'

export interface Stored {
  readonly dataset: StoredDataset
  /** The commits in force, without the parts that later ones supersede. */
  readonly commits: readonly Commit[]
  readonly warnings: readonly string[]
  /** Names the file in an error about the fixture that the dataset is generated from. */
  readonly nameDataset?: (error: unknown) => unknown
  /** Creates the error for a changed row that refers to no record. */
  readonly toError?: (dangling: Dangling) => Error
}

export const DATASET = 'dataset.json'
export const CHANGES = 'changes.jsonl'

/** Creates the lowdb adapter of `dataset.json`. @param check is called in one step with each rename */
export function openDataset(place: string, check?: () => void): Adapter<StoredDataset | null> {
  const path = resolve(place, DATASET)
  return {
    read: async () => {
      try {
        const bytes = readIfThere(path)
        return bytes ? parseDataset(bytes) : null
      } catch (error) {
        throw toReadError(DATASET, place, error)
      }
    },
    write: async (dataset) => {
      if (dataset) await replaceFile(path, formatDataset(dataset), check)
    },
  }
}

/** The size above which changes are written anew if they are half superseded. Units: see `measure`. */
const MIN_SIZE = 1_000

/**
 * The two lowdb documents of a data folder: a dataset, which is written as a whole, and lines of changes. The first write
 * of a process replaces the lines by those in force, and then each appends. A reseed adds the header of the new dataset,
 * takes effect when the dataset is written, and then drops the lines before. Only one call may run at a time.
 */
export class Documents {
  readonly #place: string
  readonly #dataset: Low<StoredDataset | null>
  readonly #changes: Low<Line[]>
  readonly #file: JsonLines<Line>
  readonly lock: Lock
  /** Whether `dataset.json` may be the one of a reseed that has failed: the next write puts the dataset back first. */
  #isUnsure = false
  #size = 0
  #maxSize = MIN_SIZE

  constructor(place: string, lock: Lock) {
    const { check } = lock
    this.#place = place
    this.#dataset = new Low<StoredDataset | null>(openDataset(place, check), null)
    this.#file = new JsonLines<Line>(resolve(place, CHANGES), { parse: parseLine, check })
    this.#changes = new Low<Line[]>(this.#file, [])
    this.lock = lock
  }

  /** The dataset that was read or written last; null if there is none. */
  get dataset(): StoredDataset | null {
    return this.#dataset.data
  }

  /** Reads both files, which stay as they are. Errors: storage_unavailable that names the file, the line and the field. */
  async load(): Promise<Stored | undefined> {
    const place = this.#place
    const absent = this.#changes.data
    await this.#dataset.read()
    await this.#changes.read().catch((error) => Promise.reject(toReadError(CHANGES, place, error)))
    const { dataset } = this
    const { data: lines } = this.#changes
    const { isTorn } = this.#file
    if (lines !== absent && lines.length === 0) {
      const fact = isTorn ? 'it has no complete line' : 'it is empty'
      throw new DamagedFile(CHANGES, place, fact)
    }
    if (!dataset) {
      if (!lines.some(isCommit)) return undefined
      throw new DamagedFile(DATASET, place, 'it is missing, although there are changes to its records')
    }
    const start = lines.findLastIndex((line) => isHeader(line) && line.dataset === dataset.id)
    const other = 'it belongs to another dataset than the one in dataset.json'
    const fact = start === -1 && lines.length > 0 ? other : findOddHeader(lines, dataset.id)
    if (fact !== undefined) throw new DamagedFile(CHANGES, place, fact)
    // A line after the header of another dataset belongs to a reseed that was interrupted.
    const end = lines.findIndex((line, index) => index > start && isHeader(line))
    const commits = await omitSuperseded(lines.slice(start + 1, end === -1 ? undefined : end))
    this.#changes.data = [createHeader(dataset.id), ...commits]
    this.#setSize(commits)
    const torn = `The last line of changes.jsonl in ${place} has no end and was dropped: it was never acknowledged.`
    const interrupted = `A reseed of ${place} was interrupted before it took effect: the dataset before it is in use.`
    return {
      dataset,
      commits,
      warnings: [...(isTorn ? [torn] : []), ...(end === -1 ? [] : [interrupted])],
      nameDataset: (error) => {
        const isInvalid = error instanceof SandboxError && error.code === 'invalid_request'
        return isInvalid ? new DamagedFile(DATASET, place, error.message) : error
      },
      toError: ({ change, path, message }) => {
        const line = lines.find((one) => isCommit(one) && one.changes.includes(change))
        const field = `${path} of ${nameRecord(change.table, change.id)} in ${nameLine(line)}`
        return new DamagedFile(CHANGES, place, `${field}: ${message}`)
      },
    }
  }

  async append(commits: readonly Commit[]): Promise<void> {
    if (this.#size > this.#maxSize) await this.#dropSuperseded()
    const { data: lines } = this.#changes
    const { length } = lines
    const added: Commit[] = []
    for (const commit of commits) if (!repeats(commit, added.at(-1) ?? lines.at(-1))) added.push(commit)
    const last = added.at(-1)
    if (!last) return
    const dropsAll = last.reset === true && repeats(last, undefined)
    try {
      // Before anything is added, because a disk may report an error although the new file is in place.
      if (!this.#file.has(lines)) await this.#write()
      lines.push(...added)
      await this.#write()
    } catch (error) {
      lines.length = length
      const isFull = error instanceof SandboxError && error.code === 'storage_full'
      if (!dropsAll || !isFull || this.#isUnsure) throw error
      return this.#removeLines().catch(async () => {
        // They may be gone although the disk has reported an error.
        await this.#write().catch(ignoreFailure)
        throw error
      })
    }
    this.#size += measure(added)
    // A short file takes less time to go on with than to create anew.
    if (dropsAll && this.#size > 100) await this.#removeLines().catch(ignoreFailure)
  }

  /** Removes the file, which frees a full disk: without lines, there are no changes. */
  async #removeLines(): Promise<void> {
    await this.#file.remove()
    this.#changes.data = [createHeader(this.dataset?.id ?? 0)]
    this.#setSize([])
  }

  async replace(content: Omit<StoredDataset, 'id'>, commits: readonly Commit[]): Promise<void> {
    const [before, previous] = [this.#changes.data, this.#dataset.data]
    const id = 1 + Math.max(previous?.id ?? 0, ...before.filter(isHeader).map((header) => header.dataset))
    const section = [createHeader(id), ...commits]
    await this.#rewrite([...before, ...section])
    this.#dataset.data = { ...content, id }
    try {
      await this.#dataset.write()
    } catch (error) {
      // A disk may report an error although the new file is in place.
      const stored = await this.#dataset.adapter.read().catch(() => undefined)
      if (stored?.id !== id) {
        this.#dataset.data = previous
        this.#changes.data = before
        this.#isUnsure = stored === undefined
        // The lines of both datasets stay until it is known which of them is in place.
        if (!this.#isUnsure) await this.#write().catch(ignoreFailure)
        throw error
      }
    }
    await this.#rewrite(section).catch(ignoreFailure)
  }

  close(): void {
    this.#file.close()
    this.lock.release()
  }

  async #dropSuperseded(): Promise<void> {
    const { data: lines } = this.#changes
    const inForce = await omitSuperseded(lines)
    if (this.#size <= 2 * measure(inForce)) this.#maxSize = 2 * measure(inForce)
    else await this.#rewrite([...lines.filter(isHeader), ...inForce]).catch(ignoreFailure)
  }

  async #rewrite(lines: Line[]): Promise<void> {
    const before = this.#changes.data
    this.#changes.data = lines
    try {
      await this.#write()
    } catch (error) {
      this.#changes.data = before
      throw error
    }
    this.#setSize(lines)
  }

  async #write(): Promise<void> {
    if (this.#isUnsure) await this.#dataset.write()
    this.#isUnsure = false
    await this.#changes.write().catch((error) => Promise.reject(toWriteError(CHANGES, error)))
  }

  #setSize(inForce: readonly Line[]): void {
    this.#size = measure(inForce)
    this.#maxSize = Math.max(MIN_SIZE, 2 * this.#size)
  }
}

/** Work here only saves space; if it fails, it is done later. */
function ignoreFailure(): void {}

const createHeader = (dataset: number): Header => ({ format: FORMAT, dataset })

const isHeader = (line: Line): line is Header => 'dataset' in line

const isCommit = (line: Line): line is Commit => 'changes' in line

const nameLine = (line: Line | undefined): string => `line ${line && lineNumbers.get(line)}`

/**
 * Finds a header that would drop lines, as a copied one does. Only a reseed adds a header: with a greater id than those
 * before, and with one commit at most before it takes effect.
 */
function findOddHeader(lines: readonly Line[], dataset: number): string | undefined {
  const headers = lines.filter(isHeader)
  for (const [index, header] of headers.entries()) {
    const before = headers[index - 1]
    const dropped = lines.slice(lines.indexOf(header)).filter(isCommit)
    if (before && header.dataset <= before.dataset) {
      const fact = `is a header again, of dataset ${header.dataset} after dataset ${before.dataset}`
      return `${nameLine(header)} ${fact}, so that the lines before it would be lost. Remove it.`
    }
    if (header.dataset > dataset && dropped.length > 1) {
      const fact = `is the header of dataset ${header.dataset}, which is not the one in dataset.json`
      return `${nameLine(header)} ${fact}, so that the lines after it would be lost. Remove it.`
    }
  }
  return undefined
}

/** Reports whether a commit leaves everything as the line before. */
function repeats({ changes, clock, reset }: Commit, last: Line | undefined): boolean {
  if (changes.length > 0) return false
  const before = last && isCommit(last) ? last : undefined
  const isEmpty = before === undefined || (before.reset === true && before.changes.length === 0)
  const isSameClock = JSON.stringify(clock) === JSON.stringify(before?.clock)
  return isSameClock && (!reset || isEmpty)
}

/** Counts commits and their changes. */
function measure(lines: readonly Line[]): number {
  let size = 0
  for (const line of lines) if ('changes' in line) size += 1 + line.changes.length
  return size
}

const SLICE = 10_000

/** Leaves out what later commits supersede. The last one stays, because it has the state of the clock. */
async function omitSuperseded(lines: readonly Line[]): Promise<readonly Commit[]> {
  const seen = forEachTable<Readonly<Record<TableName, Set<number>>>>(() => new Set())
  const inForce: Commit[] = []
  for (const [index, commit] of lines.filter(isCommit).toReversed().entries()) {
    if (index % SLICE === SLICE - 1) await letOthersRun()
    const changes = commit.changes.filter(({ table, id, row }) => row !== undefined && !seen[table].has(id))
    for (const { table, id } of commit.changes) seen[table].add(id)
    if (changes.length > 0 || index === 0)
      inForce.push(changes.length === commit.changes.length ? commit : { ...commit, changes })
    if (commit.reset) break
  }
  return inForce.toReversed()
}
