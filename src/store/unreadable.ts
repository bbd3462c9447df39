import { SandboxError } from '../contract/errors.ts'

/** The error of a kept file that is damaged: it is not what was written. It is left as it is. */
export class DamagedFile extends SandboxError {
  readonly file: string
  /** What is wrong with it. */
  readonly fact: string

  constructor(file: string, place: string, fact: string) {
    const remedy =
      'Restore it from a copy, replace all data with reseed, or start on another folder with --data.'
    super('storage_unavailable', `Cannot read ${file} in ${place}: ${fact}. ${remedy}`)
    this.file = file
    this.fact = fact
  }
}

/** The error of a kept file that cannot be read, whatever it holds. */
export function unreadable(file: string, place: string, fact: string, remedy = RESTORE): SandboxError {
  return new SandboxError('storage_unavailable', `Cannot read ${file} in ${place}: ${fact}. ${remedy}`)
}

const RESTORE = 'Restore it from a copy, or start on another folder with --data.'

/** The error of a write into a folder that is no longer ours. */
export class LostFolder extends SandboxError {
  constructor() {
    const fact = 'another process has taken over the folder, or it was deleted'
    super('storage_unavailable', `Cannot write: ${fact}. Start the sandbox again.`)
  }
}

/** What `seeded.json` and `changes.json` say of each other. */
interface Kept {
  readonly generation: number
  /** The generation that the changes belong to. */
  readonly changesOf: number
  /** The last entry of the log that is in the changes. */
  readonly sequence: number
}

/** Refuses files that do not belong together. Errors: DamagedFile that names the one to blame. */
export function refuseMismatch(
  place: string,
  { generation, changesOf, sequence }: Kept,
  entries: readonly { readonly generation: number; readonly sequence: number }[],
): void {
  const latest = Math.max(changesOf, ...entries.map((entry) => entry.generation))
  if (generation === 0 && latest > 0) {
    throw new DamagedFile('seeded.json', place, 'it is missing, although there are changes of its records')
  }
  if (latest > generation) {
    throw new DamagedFile('seeded.json', place, 'it is older than the changes beside it')
  }
  const first = entries[0]?.sequence ?? 1
  if (first > sequence + 1) {
    throw new DamagedFile('changes.json', place, 'it is older than the changes.log beside it')
  }
  if (entries.some((entry, index) => entry.sequence !== first + index)) {
    throw new DamagedFile('changes.log', place, 'lines of it are missing')
  }
}
