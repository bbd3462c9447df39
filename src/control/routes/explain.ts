import { Hono } from 'hono'

import { ExplainInput, Explanation } from '../../explain/explain.ts'
import { Preview, PreviewInput } from '../../explain/preview.ts'
import { describe } from '../describe.ts'
import type { ControlEnv } from '../host.ts'
import { validate } from '../validate.ts'

/** Routes that preview and explain responses. */
export const explainRoutes = new Hono<ControlEnv>()
  .post(
    '/explain',
    describe('explain', 'Explain a response, or why a record is not in it', Explanation),
    validate('json', ExplainInput),
    async (c) => c.json(await c.var.host.dryRun.explain(c.var.session, c.req.valid('json'))),
  )
  .post(
    '/preview',
    describe('preview', 'Show the response to a GET without recording it', Preview),
    validate('json', PreviewInput),
    async (c) => c.json(await c.var.host.dryRun.preview(c.var.session, c.req.valid('json'))),
  )
