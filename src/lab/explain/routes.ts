import { Hono } from 'hono'

import { type ControlEnv, documentRoute } from '../../control/route.ts'
import { validate } from '../../http/validate.ts'
import { listCredentials } from '../../sessions/credentials.ts'
import { loadExplain } from '../attach.ts'
import { ExplainInput, Explanation, Preview, PreviewInput } from './schemas.ts'
import { countVisible, Visibility } from './visibility.ts'

export const explainRoutes = new Hono<ControlEnv>()
  .post(
    '/explain',
    documentRoute('explain', 'Explain a response, or why a record is not in it', Explanation),
    validate('json', ExplainInput),
    async (c) => c.json(await (await loadExplain()).explain(c.env, c.var.session, c.req.valid('json'))),
  )
  .post(
    '/preview',
    documentRoute('preview', 'Show the response to a GET without recording it', Preview),
    validate('json', PreviewInput),
    async (c) => c.json(await (await loadExplain()).preview(c.env, c.var.session, c.req.valid('json'))),
  )
  .get(
    '/visibility',
    documentRoute('getVisibility', 'Count the customers and signals that each member sees', Visibility),
    async (c) =>
      c.json(await countVisible(listCredentials(c.env.sandbox.dataset, c.var.session), c.var.session)),
  )
