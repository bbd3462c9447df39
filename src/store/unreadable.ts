import { SandboxError } from '../contract/errors.ts'

const RESTORE = 'Restore it from a copy, or start on another folder with --data.'

/** The refusal of a kept file that is not understood; it is left as it is. */
export function unreadable(file: string, place: string, fact: string, remedy = RESTORE): SandboxError {
  return new SandboxError('storage_unavailable', `Cannot read ${file} in ${place}: ${fact}. ${remedy}`)
}

/** The error of a write into a folder that is no longer ours. */
export class LostFolder extends SandboxError {
  constructor() {
    const fact = 'another process has taken over the folder, or it was deleted'
    super('storage_unavailable', `Cannot write: ${fact}. Start the sandbox again.`)
  }
}
