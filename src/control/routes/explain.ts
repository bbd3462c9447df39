import { Hono } from 'hono'

import { validate } from '../../http/validate.ts'
import { ExplainInput, Explanation, Preview, PreviewInput } from '../../lab/explain/schemas.ts'
import { type ControlEnv, documentRoute } from '../route.ts'

export const explainRoutes = new Hono<ControlEnv>()
  .post(
    '/explain',
    documentRoute('explain', 'Explain a response, or why a record is not in it', Explanation),
    validate('json', ExplainInput),
    async (c) => c.json(await (await c.var.explainer()).explain(c.var.session, c.req.valid('json'))),
  )
  .post(
    '/preview',
    documentRoute('preview', 'Show the response to a GET without recording it', Preview),
    validate('json', PreviewInput),
    async (c) => c.json(await (await c.var.explainer()).preview(c.var.session, c.req.valid('json'))),
  )
