import type { Context, TypedResponse } from 'hono'

import { runInSlices } from '../core/slices.ts'

const encoder = new TextEncoder()

/** Renders the elements of a list that may be long, or have long elements, each in a step. */
export const renderEach = <T>(items: readonly T[], show: (item: T) => object): Promise<BlobPart[]> =>
  runInSlices(
    (function* render() {
      const elements: BlobPart[] = []
      for (const item of items) {
        elements.push(encoder.encode(`${elements.length === 0 ? '' : ','}${JSON.stringify(show(item))}`))
        yield
      }
      return elements
    })(),
  )

/** Sends the parts of a JSON text, as `c.json` does with a value. */
export async function sendJson<T>(c: Context, parts: BlobPart[]): Promise<Response & TypedResponse<T>> {
  const body = await new Blob(parts).arrayBuffer()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- typed as by c.json, for the client of the page
  return c.body(body, 200, { 'content-type': 'application/json' }) as never
}
