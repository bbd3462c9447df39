import { execFileSync } from 'node:child_process'

import * as z from 'zod'

import { median, type Suite } from './rows.ts'
import { serverFile } from './servers.ts'

const ids = ['test-import', 'test-first', 'test-later', 'test-session', 'test-reset'] as const

/** Milliseconds that a test file pays, as `servers/test-file.js` prints them. */
const Times = z.record(z.enum(ids), z.number())

/** Measures what a test pays in its own process, in fresh processes. */
export const inProcess: Suite = {
  ids,
  async *measure(wanted) {
    const files = Array.from({ length: 5 }, () =>
      Times.parse(
        JSON.parse(execFileSync(process.execPath, [serverFile('test-file')], { encoding: 'utf8' })),
      ),
    )
    for (const id of ids.filter((one) => wanted.has(one))) {
      yield { id, value: median(files.map((file) => file[id])) }
    }
  },
}
