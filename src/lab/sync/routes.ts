import { Hono } from 'hono'
import * as z from 'zod'

import { integerParameter } from '../../contract/fields.ts'
import { type ControlEnv, documentRoute, sendJson } from '../../control/route.ts'
import { lazyStrictObject } from '../../core/lazy-schema.ts'
import { runInSlices } from '../../core/slices.ts'
import { controlBody, decode, receive } from '../../http/read-body.ts'
import { validate } from '../../http/validate.ts'
import { loadSync, loadTruth } from '../attach.ts'
import { readCopyText } from './copies.ts'
import { TruthInput, VerdictInput, Truth, Verdict } from './verdict.ts'

const TruthQuery = TruthInput.extend({
  scenarios: z
    .stringbool('must be true or false')
    .optional()
    .describe('Whether the scenarios of the session act on the rows. Default: true. Example: `false`.'),
  offset: integerParameter(TruthInput.shape.offset),
  limit: integerParameter(TruthInput.shape.limit),
})

const list = z
  .union([z.string(), z.array(z.string())])
  .transform((values) => [values].flat().flatMap((text) => text.split(',')))

const VerdictQuery = lazyStrictObject(() => ({
  as: VerdictInput.shape.as,
  ignore: list.pipe(VerdictInput.shape.ignore.unwrap()).optional().describe('As in the body'),
  allow: list.pipe(VerdictInput.shape.allow.unwrap()).optional().describe('As in the body'),
}))

export const syncRoutes = new Hono<ControlEnv>()
  .get(
    '/truth',
    documentRoute('readTruth', 'Read the rows of a collection that a member sees', Truth),
    validate('query', TruthQuery),
    async (c) =>
      sendJson(c, await (await loadTruth()).readTruth(c.env.sandbox, c.var.session, c.req.valid('query'))),
  )
  .post(
    '/verdict',
    documentRoute('judgeSync', 'Judge the copy of a client, or what was delivered', Verdict),
    validate('query', VerdictQuery),
    // A copy as a client keeps it: lines of rows or messages, or a document. The options are in the query.
    async (c, next) => {
      if (!/^application\/(?:x-)?ndjson\b/i.test(c.req.header('content-type') ?? '')) return next()
      const text = decode(await receive(c, controlBody))
      const copy = (await runInSlices(readCopyText(text))) ?? {}
      const input = { copy, ...c.req.valid('query') }
      return c.json(await (await loadSync()).judgeSync(c.env.sandbox, c.var.session, input, 'query'))
    },
    validate('json', VerdictInput),
    async (c) => {
      const [query, body] = [c.req.valid('query'), c.req.valid('json')]
      const place = body.as === undefined && query.as !== undefined ? 'query' : 'body'
      const input = { ...query, ...body }
      return c.json(await (await loadSync()).judgeSync(c.env.sandbox, c.var.session, input, place))
    },
  )
