import { Hono } from 'hono'

import { SandboxError } from '../contract/errors.ts'
import type { Environment } from '../http/environment.ts'
import { controlHeaders } from './exchange.ts'

/** A file that was built for browsers, by its name in the package's `dist`; undefined where there is none. */
export type BuiltFile = (name: string) => Promise<Uint8Array<ArrayBuffer> | undefined>

/** The icons are part of the style sheet, as `data:`. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

const mediaTypes: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' }

/** The API reference, and what its page loads. Errors: 404 where nobody gives the files, as in a browser. */
export function docsRoutes(file: BuiltFile | undefined): Hono<Environment> {
  const app = new Hono<Environment>()
  const found = async (name: string): Promise<Uint8Array<ArrayBuffer>> => {
    const content = await file?.(`docs/${name}`)
    if (content) return content
    throw new SandboxError('not_found', file ? NOT_BUILT : NOT_HERE)
  }
  app.get('/docs', async () => {
    const headers = { ...controlHeaders, 'content-type': 'text/html; charset=utf-8' }
    return new Response(await found('index.html'), {
      headers: { ...headers, 'content-security-policy': POLICY },
    })
  })
  app.get('/docs/assets/:name{[\\w-]+\\.(?:js|css)}', async (context) => {
    const name = context.req.param('name')
    const type = mediaTypes[name.slice(name.lastIndexOf('.') + 1)] ?? ''
    const headers = { ...controlHeaders, 'content-type': `${type}; charset=utf-8` }
    return new Response(await found(`assets/${name}`), { headers: { ...headers, 'cache-control': FOR_EVER } })
  })
  return app
}

/** A file's name changes with its content. */
const FOR_EVER = 'public, max-age=31536000, immutable'

const NOT_HERE =
  'The API reference is served by the command `workspace-sandbox` and by `startSandbox`. The document is /openapi.json.'
const NOT_BUILT =
  'No such file of the API reference was built: `npm run build:docs`. The document is /openapi.json.'
