import { SandboxError } from '../../core/errors.ts'
import { InvalidContent } from '../../core/json-text.ts'
import { asSentence } from '../../core/words.ts'

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

const descriptions: Readonly<Record<string, string>> = {
  EACCES: 'permission to write is denied',
  EPERM: 'permission to write is denied',
  EROFS: 'the disk is read-only',
  EIO: 'the disk reports an I/O error',
  ENOENT: 'its folder does not exist',
  EISDIR: 'it is a folder',
}

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

export function describeWriteError(error: unknown): string {
  const code = errorCode(error)
  return FULL.has(code)
    ? 'the disk is full'
    : (descriptions[code] ?? (code || 'the disk reports an unknown error'))
}

export function describeReadError(error: unknown): string {
  const code = errorCode(error)
  if (code === 'ENOENT') return 'there is no such file'
  return code === 'EACCES' || code === 'EPERM' ? 'permission to read is denied' : describeWriteError(error)
}

/** Creates the error of a failed write. It names no path, because clients of the service see it. */
export function toWriteError(file: string, error: unknown): SandboxError {
  if (error instanceof SandboxError) return error
  const isFull = FULL.has(errorCode(error))
  const remedy = isFull ? 'Free some space and try again.' : 'Check the disk and try again.'
  const message = `Cannot write ${file}: ${describeWriteError(error)}. ${remedy}`
  return new SandboxError(isFull ? 'storage_full' : 'storage_unavailable', message, { cause: error })
}

export class DamagedFile extends SandboxError {
  readonly file: string
  readonly fact: string

  constructor(file: string, place: string, fact: string) {
    const remedy =
      'Restore it from a copy or correct it, replace all data with reseed, or start on another folder with the option data.'
    super('storage_unavailable', `Cannot read ${file} in ${place}: ${asSentence(fact)} ${remedy}`)
    this.file = file
    this.fact = fact
  }
}

export function toReadError(file: string, place: string, error: unknown): SandboxError {
  const isInvalid = error instanceof InvalidContent
  if (isInvalid && error.remedy === undefined) return new DamagedFile(file, place, error.message)
  const fact = isInvalid ? error.message : describeReadError(error)
  const remedy =
    (isInvalid && error.remedy) || 'Restore it from a copy, or start on another folder with the option data.'
  return new SandboxError('storage_unavailable', `Cannot read ${file} in ${place}: ${fact}. ${remedy}`)
}
