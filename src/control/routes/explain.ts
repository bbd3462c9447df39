import { Hono } from 'hono'

import { PartialSettings } from '../../contract/settings.ts'
import { ExplainInput, Explanation, Preview, PreviewInput } from '../../explain/explain.ts'
import { validate } from '../../http/validate.ts'
import { type ControlEnv, documentRoute } from '../route.ts'

const PreviewOptions = PreviewInput.extend({
  assumptions: PartialSettings.optional().describe('Overrides of assumptions, for this response only'),
})

export const explainRoutes = new Hono<ControlEnv>()
  .post(
    '/explain',
    documentRoute('explain', 'Explain a response, or why a record is not in it', Explanation),
    validate('json', ExplainInput),
    async (c) => c.json(await (await c.var.dryRun()).explain(c.var.session, c.req.valid('json'))),
  )
  .post(
    '/preview',
    documentRoute('preview', 'Show the response to a GET without recording it', Preview),
    validate('json', PreviewOptions),
    async (c) => {
      const { dryRun, session } = c.var
      const { assumptions, ...input } = c.req.valid('json')
      return c.json(await (await dryRun()).preview(session, input, assumptions))
    },
  )
