import { errorCode } from '../disk/storage-errors.ts'

/** The exit code of shells for a command that cannot be run. */
export const NOT_RUN = 127

/** The error of a command that cannot be run. */
export class NotRunError extends Error {
  override readonly name = 'NotRunError'

  constructor(command: string, cause: Error) {
    super(`Cannot run ${command}: ${describe(cause)}. Check its name and your PATH.`, { cause })
  }
}

function describe(error: Error): string {
  if (errorCode(error) === 'ENOENT') return 'there is no such command'
  return errorCode(error) === 'EACCES' ? 'it is not executable' : error.message
}
