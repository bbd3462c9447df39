import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

import type { BuiltFile } from '../control/pages.ts'
import { codeOf } from '../store/disk.ts'

/** Reads a file of this package's `dist`, wherever the code that asks was built to. */
export const builtFile: BuiltFile = async (name) => {
  try {
    const manifest = createRequire(import.meta.url).resolve('workspace-sandbox/package.json')
    return new Uint8Array(await readFile(join(dirname(manifest), 'dist', name)))
  } catch (error) {
    if (['ENOENT', 'MODULE_NOT_FOUND'].includes(codeOf(error))) return undefined
    throw error
  }
}
