import { open } from 'node:fs/promises'

import { SandboxError } from '../contract/errors.ts'

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

const facts: Readonly<Record<string, string>> = {
  EACCES: 'it may not be written',
  EPERM: 'it may not be written',
  EROFS: 'the disk is read-only',
  EIO: 'the disk reports a fault',
  ENOENT: 'its folder is gone',
  EISDIR: 'it is a folder',
}

/** The code by which the system tells what went wrong, as in `ENOSPC`; empty where there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** What went wrong in writing, in words; names no path. */
export function writingFact(error: unknown): string {
  const code = codeOf(error)
  return FULL.has(code)
    ? 'the disk is full'
    : (facts[code] ?? (code || 'the disk does not answer as it should'))
}

/** What went wrong in reading, in words; names no path. */
export function readingFact(error: unknown): string {
  const code = codeOf(error)
  return code === 'EACCES' || code === 'EPERM' ? 'it may not be read' : writingFact(error)
}

/** The refusal of a write that the disk did not take; it names no path, because clients of the service see it. */
export function writeError(file: string, error: unknown): SandboxError {
  if (error instanceof SandboxError) return error
  const isFull = FULL.has(codeOf(error))
  const remedy = isFull ? 'Free some space and try again.' : 'See to the disk and try again.'
  const message = `Cannot write ${file}: ${writingFact(error)}. ${remedy}`
  return new SandboxError(isFull ? 'storage_full' : 'storage_unavailable', message, { cause: error })
}

/** Makes what was created or renamed in a folder durable; Windows knows no such thing. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
