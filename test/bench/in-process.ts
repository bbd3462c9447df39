import { execFileSync } from 'node:child_process'

import * as z from 'zod'

import { median, type Suite } from './rows.ts'
import { serverFile } from './servers.ts'

/** Milliseconds that a test file pays, as `servers/test-file.js` prints them. */
const Times = z.strictObject({
  'test-import': z.number(),
  'test-first': z.number(),
  'test-later': z.number(),
  'test-session': z.number(),
  'test-reset': z.number(),
})

const rows: Readonly<Record<keyof z.infer<typeof Times>, readonly [title: string, atMost?: number]>> = {
  'test-import': ['import the package'],
  'test-first': ['the first sandbox of a test file', 110],
  'test-later': ['another sandbox', 2],
  'test-session': ['a session of a test, with ten requests and a verification'],
  'test-reset': ['a reset after a note', 1],
}

/** Measures what a test pays in its own process, in fresh processes. */
export const inProcess: Suite = {
  ids: Object.keys(rows),
  async *measure(wanted) {
    const files = Array.from({ length: 5 }, () =>
      Times.parse(
        JSON.parse(execFileSync(process.execPath, [serverFile('test-file')], { encoding: 'utf8' })),
      ),
    )
    for (const id of Times.keyof().options) {
      if (!wanted.has(id)) continue
      const [title, atMost] = rows[id]
      const value = median(files.map((file) => file[id]))
      yield { id, title, unit: 'ms', value, ...(atMost !== undefined && { goal: { atMost } }) }
    }
  },
}
