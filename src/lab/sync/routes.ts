import { Hono, type MiddlewareHandler } from 'hono'
import * as z from 'zod'

import { type ControlEnv, documentRoute } from '../../control/route.ts'
import { lazyStrictObject } from '../../core/lazy-schema.ts'
import { controlBody, decodeJson, readBytes } from '../../http/read-json.ts'
import { validate } from '../../http/validate.ts'
import { parseLines } from './copies.ts'
import type { Sync } from './create-sync.ts'
import { TruthInput, VerdictInput, Reason, Truth, Verdict } from './verdict.ts'

const TruthQuery = TruthInput.extend({
  scenarios: z
    .stringbool('must be true or false')
    .optional()
    .describe('Whether the scenarios of the session act on the rows. Default: true. Example: `false`.'),
})

const list = z
  .union([z.string(), z.array(z.string())])
  .transform((values) => [values].flat().flatMap((text) => text.split(',')))

const VerdictQuery = lazyStrictObject(() => ({
  as: VerdictInput.shape.as,
  ignore: list
    .pipe(z.array(z.string().max(200)).max(1_000))
    .optional()
    .describe('As in the body'),
  allow: list.pipe(z.array(Reason)).optional().describe('As in the body'),
}))

export const syncRoutes = (sync: () => Promise<Sync>) =>
  new Hono<ControlEnv>()
    .get(
      '/truth',
      documentRoute('readTruth', 'Read the rows of a collection that a member sees', Truth),
      validate('query', TruthQuery),
      async (c) => c.json(await (await sync()).truth(c.var.session, c.req.valid('query'))),
    )
    .post(
      '/verdict',
      documentRoute('judgeSync', 'Judge the copy of a client, or what was delivered', Verdict),
      validate('query', VerdictQuery),
      (c, next) => readLines(c, next),
      validate('json', VerdictInput),
      async (c) => {
        const input = { ...c.req.valid('query'), ...c.req.valid('json') }
        return c.json(await (await sync()).verdict(c.var.session, input))
      },
    )

const readLines: MiddlewareHandler<ControlEnv> = async (c, next) => {
  if (!/^application\/(?:x-)?ndjson\b/i.test(c.req.header('content-type') ?? '')) return next()
  const { raw } = c.req
  const copy = parseLines(decodeJson(await readBytes(raw, controlBody.maxBytes)))
  const { url, method, headers, signal } = raw
  const others = new Headers(headers)
  others.delete('content-length')
  c.req.raw = new Request(url, { method, headers: others, body: JSON.stringify({ copy }), signal })
  return next()
}
