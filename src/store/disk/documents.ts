import { Low } from 'lowdb'

import { letOthersRun } from '../../core/system-clock.ts'
import { type ClockMove, type Commit, isSameClock } from '../change.ts'
import type { DatasetKey } from '../dataset.ts'
import type { Dangling } from '../references.ts'
import { forEachTable, nameRecord, type Rows, type TableName } from '../tables.ts'
import type { OrganizationRow } from '../tables/members.ts'
import type { JsonFile } from './json-file.ts'
import type { JsonLines } from './json-lines.ts'
import { DamagedFile, toReadError, toWriteError } from './storage-errors.ts'

export const FORMAT = 2

/** The content of `dataset.json`. */
export interface StoredDataset {
  /** Counts reseeds, so that the changes of an earlier dataset are recognised. */
  readonly id: number
  readonly version: string
  readonly key: DatasetKey
  readonly organizations: readonly OrganizationRow[]
  /** Absent from large datasets, whose rows follow from the key. */
  readonly rows?: Rows | undefined
  readonly isEdited?: boolean
}

/** A line of `changes.jsonl`. The first one is a header, which names the dataset that the following ones change. */
export type Line = Header | Commit

interface Header {
  readonly format: number
  readonly dataset: number
}

export interface Stored {
  readonly dataset: StoredDataset
  /** The commits in force, without the parts that later ones supersede. */
  readonly commits: readonly Commit[]
  readonly warnings: readonly string[]
  /** Drops from the file what is not in force. Errors: storage_unavailable if one of the changes refers to no record. */
  readonly accept?: (dangling: Dangling | undefined) => Promise<void>
}

interface Parts {
  readonly place: string
  readonly dataset: Pick<JsonFile<StoredDataset>, 'read' | 'write'>
  readonly changes: Pick<JsonLines<Line>, 'read' | 'write' | 'close' | 'isTorn'>
  /** Whether another process may still complete a write to the present file of changes. */
  readonly isContested?: boolean
  readonly release?: () => void
}

const noDataset: StoredDataset = {
  id: 0,
  version: '',
  key: { seed: 0, size: 0, fixture: '', now: '', clock: 'frozen' },
  organizations: [],
}

/** The size above which changes are written anew if they are half superseded. Units: see `measure`. */
const MIN_SIZE = 1_000

/**
 * The two lowdb documents of a data folder: a dataset, which is written as a whole, and lines of changes, which are
 * appended. A reseed appends the header of the new dataset, takes effect when the dataset is written, and then drops the
 * lines before. Only one call may run at a time.
 */
export class Documents {
  readonly #parts: Parts
  readonly #dataset: Low<StoredDataset>
  readonly #changes: Low<Line[]>
  #clock: ClockMove | undefined
  #size = 0
  #maxSize = MIN_SIZE

  constructor(parts: Parts) {
    this.#parts = parts
    this.#dataset = new Low(parts.dataset, noDataset)
    this.#changes = new Low<Line[]>(parts.changes, [])
  }

  /** The dataset that was read or written last. */
  get dataset(): StoredDataset | undefined {
    return this.#dataset.data.id === 0 ? undefined : this.#dataset.data
  }

  /** Errors: storage_unavailable that names the file, the line and the field; the files are then untouched. */
  async load(): Promise<Stored | undefined> {
    const { place, changes, isContested = false } = this.#parts
    const absent = this.#changes.data
    const name = (file: string) => (error: unknown) => {
      throw toReadError(file, place, error)
    }
    await this.#dataset.read().catch(name('dataset.json'))
    await this.#changes.read().catch(name('changes.jsonl'))
    const { dataset } = this
    const { data: lines } = this.#changes
    if (lines !== absent && lines.length === 0) throw new DamagedFile('changes.jsonl', place, 'it is empty')
    if (!dataset) {
      if (lines.every(isHeader)) return undefined
      throw new DamagedFile('dataset.json', place, 'it is missing, although there are changes to its records')
    }
    const start = lines.findLastIndex((line) => isHeader(line) && line.dataset === dataset.id)
    if (start === -1 && lines.length > 0) {
      const fact = 'it belongs to another dataset than the one in dataset.json'
      throw new DamagedFile('changes.jsonl', place, fact)
    }
    const torn = `The last line of changes.jsonl in ${place} has no end and was dropped: it was never acknowledged.`
    const warnings = changes.isTorn ? [torn] : []
    // A line after the header of another dataset belongs to a reseed that was interrupted.
    const end = lines.findIndex((line, index) => index > start && isHeader(line))
    const isAlone = start === 0 && end === -1
    const present = lines.slice(start + 1, end === -1 ? undefined : end)
    // Otherwise, the next write replaces the file.
    if (!isAlone) this.#changes.data = [createHeader(dataset.id), ...present]
    const commits = await omitSuperseded(present)
    this.#clock = findClock(commits)
    const accept: Stored['accept'] = async (dangling) => {
      const change = commits.flatMap(({ changes: all }) => all)[dangling?.index ?? -1]
      if (!dangling || !change) return this.#tidy(commits, !isAlone || isContested)
      const line = 1 + lines.findIndex((one) => isCommit(one) && one.changes.includes(change))
      const field = `${dangling.path} of ${nameRecord(change.table, change.id)} in line ${line}`
      throw new DamagedFile('changes.jsonl', place, `${field}: ${dangling.message}`)
    }
    return { dataset, commits, warnings, accept }
  }

  async append(commits: readonly Commit[]): Promise<void> {
    const { data: lines } = this.#changes
    const added: Commit[] = []
    let clock = this.#clock
    for (const { clock: given, ...commit } of commits) {
      const before = commit.reset ? undefined : clock
      const isMoved = given !== undefined && !isSameClock(given, before)
      clock = isMoved ? (given ?? undefined) : before
      const drops = commit.reset && !isEmpty(added.at(-1) ?? lines.at(-1))
      if (drops || isMoved || commit.changes.length > 0)
        added.push(isMoved ? { ...commit, clock: given } : commit)
    }
    if (added.length === 0) return
    lines.push(...added)
    try {
      await this.#changes.write()
    } catch (error) {
      lines.length -= added.length
      throw toWriteError('changes.jsonl', error)
    }
    this.#clock = clock
    this.#size += measure(added)
    if (this.#size > this.#maxSize) await this.#tidy(await omitSuperseded(lines))
  }

  async replace(content: Omit<StoredDataset, 'id'>, commits: readonly Commit[]): Promise<void> {
    const [before, previous] = [this.#changes.data, this.#dataset.data]
    const id = 1 + Math.max(previous.id, ...before.filter(isHeader).map((header) => header.dataset))
    const section = [createHeader(id), ...commits]
    await this.#rewrite([...before, ...section])
    this.#dataset.data = { ...content, id }
    try {
      await this.#dataset.write()
    } catch (error) {
      // A disk may report an error although the new file is in place.
      const stored = await this.#parts.dataset.read().catch(() => null)
      if (stored?.id !== id) {
        this.#dataset.data = previous
        this.#changes.data = before
        // If this fails, the next write does it.
        await this.#changes.write().catch(ignoreFailure)
        throw toWriteError('dataset.json', error)
      }
    }
    await this.#rewrite(section).catch(ignoreFailure)
    this.#clock = findClock(commits)
  }

  close(): void {
    this.#parts.changes.close()
    this.#parts.release?.()
  }

  /** Writes the file anew if it has to be, or if most of it is superseded. */
  async #tidy(inForce: readonly Commit[], isDue = false): Promise<void> {
    const [header, ...lines] = this.#changes.data
    this.#size = measure(lines)
    this.#maxSize = Math.max(MIN_SIZE, 2 * measure(inForce))
    if (header && (isDue || this.#size > 2 * measure(inForce)))
      await this.#rewrite([header, ...inForce]).catch(ignoreFailure)
  }

  async #rewrite(lines: Line[]): Promise<void> {
    const before = this.#changes.data
    this.#changes.data = lines
    try {
      await this.#changes.write()
    } catch (error) {
      this.#changes.data = before
      throw toWriteError('changes.jsonl', error)
    }
    this.#size = measure(lines)
  }
}

/** Work here only saves space; if it fails, it is done later. */
function ignoreFailure(): void {}

const createHeader = (dataset: number): Header => ({ format: FORMAT, dataset })

const isHeader = (line: Line): line is Header => 'dataset' in line

const isCommit = (line: Line): line is Commit => 'changes' in line

/** Reports whether a line, and so what precedes it, leaves nothing to drop. */
const isEmpty = (line: Line | undefined): boolean =>
  !line || isHeader(line) || (line.reset === true && line.changes.length === 0 && !line.clock)

/** Counts commits and their changes. */
const measure = (lines: readonly Line[]): number =>
  lines.reduce((sum, line) => sum + (isCommit(line) ? 1 + line.changes.length : 0), 0)

const findClock = (commits: readonly Commit[]): ClockMove | undefined =>
  commits.findLast(({ clock }) => clock)?.clock ?? undefined

const SLICE = 10_000

/** Leaves out what later commits supersede. */
async function omitSuperseded(lines: readonly Line[]): Promise<readonly Commit[]> {
  const seen = forEachTable<Readonly<Record<TableName, Set<number>>>>(() => new Set())
  const inForce: Commit[] = []
  let hasClock = false
  for (const [index, commit] of lines.filter(isCommit).toReversed().entries()) {
    // oxlint-disable-next-line no-await-in-loop -- lets others run between slices
    if (index % SLICE === SLICE - 1) await letOthersRun()
    const { reset, clock, ...rest } = commit
    const changes = commit.changes.filter(({ table, id, row }) => row !== undefined && !seen[table].has(id))
    for (const { table, id } of commit.changes) seen[table].add(id)
    const moved = hasClock || !clock ? {} : { clock }
    if (changes.length > 0 || moved.clock) inForce.push({ ...rest, ...moved, changes })
    hasClock ||= clock !== undefined
    if (reset) break
  }
  return inForce.toReversed()
}
