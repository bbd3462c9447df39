import { Hono } from 'hono'

import { version } from '../../core/version.ts'
import { OpenApiDocument } from '../openapi.ts'
import { type ControlEnv, documentRoute } from '../route.ts'
import { createServiceDocument } from '../service-document.ts'
import { createBaseUrl } from './sessions.ts'

export const serviceDocumentRoutes = new Hono<ControlEnv>().get(
  '/',
  documentRoute('getServiceDocument', 'Read the OpenAPI document of the service', OpenApiDocument),
  async (c) => {
    const { session } = c.var
    const document = await createServiceDocument(c.var, session, version)
    if (session.contract.settings.cors === 'any') c.header('access-control-allow-origin', '*')
    return c.json({ ...document, servers: [{ url: createBaseUrl(session.id, c.req.url) }] })
  },
)
