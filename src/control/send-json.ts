import type { Context, TypedResponse } from 'hono'

import { encodeInSteps, formatJson } from '../core/json-steps.ts'
import { ResponseBody } from '../core/response.ts'
import { runInSlices } from '../core/slices.ts'

/** Sends a value that may have long lists as `c.json` does, rendered in slices between which others run. */
export async function sendJson<T>(c: Context, value: T): Promise<Response & TypedResponse<T>> {
  const { bytes, length } = new ResponseBody(await runInSlices(encodeInSteps(formatJson(value))))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- typed as by c.json, for the client of the page
  return c.body(bytes, 200, { 'content-type': 'application/json', 'content-length': `${length}` }) as never
}
