import type { Context, TypedResponse } from 'hono'

import { runInSlices } from '../core/slices.ts'

const encoder = new TextEncoder()

/** The length of a part to send, unless one element is longer. Units: characters. */
const PART = 65_536

/** Renders the elements of a list that may be long, or have long elements, each in a step. */
export const renderEach = <T>(items: readonly T[], show: (item: T) => object): Promise<BlobPart[]> =>
  runInSlices(
    (function* render() {
      const parts: BlobPart[] = []
      let text = ''
      for (const [index, item] of items.entries()) {
        text += `${index === 0 ? '' : ','}${JSON.stringify(show(item))}`
        if (text.length >= PART || index === items.length - 1) {
          parts.push(encoder.encode(text))
          text = ''
        }
        yield
      }
      return parts
    })(),
  )

/** Sends the parts of a JSON text, as `c.json` does with a value. */
export async function sendJson<T>(c: Context, parts: BlobPart[]): Promise<Response & TypedResponse<T>> {
  const body = await new Blob(parts).arrayBuffer()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- typed as by c.json, for the client of the page
  return c.body(body, 200, { 'content-type': 'application/json' }) as never
}
