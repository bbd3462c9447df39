import { SandboxError } from '../contract/errors.ts'

const RESTORE = 'Restore it from a copy, or start on another folder with --data.'

/** The refusal of a kept file that is not understood; it is left as it is. */
export function unreadable(file: string, place: string, fact: string, remedy = RESTORE): SandboxError {
  return new SandboxError('storage_unavailable', `Cannot read ${file} in ${place}: ${fact}. ${remedy}`)
}
