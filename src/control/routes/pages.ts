import { type Context, Hono } from 'hono'

import { SandboxError } from '../../core/errors.ts'
import type { ControlEnv } from '../route.ts'

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

function createMissingError(c: Context<ControlEnv>): SandboxError {
  const reason = c.var.builtFile
    ? 'The page was not built. Run `npm run build:pages`.'
    : 'The documentation is served by the command `workspace-sandbox` and by `startSandbox`.'
  return new SandboxError('not_found', `${reason} The OpenAPI document is at /openapi.json.`)
}

export const pageRoutes = new Hono<ControlEnv>()
pageRoutes.get('/', (c) => c.redirect('/_sandbox'))

function mountPage(
  path: string,
  folder: string,
  fallback: (c: Context<ControlEnv>) => Response | Promise<Response>,
): void {
  pageRoutes.get(path, async (c) => {
    const content = await c.var.builtFile?.(`${folder}/index.html`)
    return content ? sendPage(c, content) : fallback(c)
  })
  pageRoutes.get(`${path}/`, (c) => c.redirect(path))
  pageRoutes.get(`${path}/assets/:name{[\\w-]+\\.(?:js|css)}`, async (c) => {
    const { name } = c.req.param()
    const content = await c.var.builtFile?.(`${folder}/assets/${name}`)
    if (!content) throw new SandboxError('not_found', `There is no file ${name}. Reload the page.`)
    const type = mediaTypes[name.slice(name.lastIndexOf('.') + 1)] ?? ''
    return c.body(content, 200, {
      'content-type': `${type}; charset=utf-8`,
      // A file's name changes with its content.
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })
}

mountPage('/_sandbox', 'console', (c) => {
  c.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
  return c.html(startPage)
})
mountPage('/docs', 'docs', (c) => {
  throw createMissingError(c)
})

// The pages of the guide.
pageRoutes.get('/docs/:name{[a-z][a-z0-9-]*\\.md}', async (c, next) => {
  const { name } = c.req.param()
  const content = name === 'licenses.md' ? undefined : await c.var.builtFile?.(`docs/${name}`)
  return content ? sendText(c, content, 'text/markdown') : next()
})
pageRoutes.get('/llms.txt', async (c) => {
  const content = await c.var.builtFile?.('docs/llms.txt')
  if (!content) throw createMissingError(c)
  return sendText(c, content, 'text/plain')
})
pageRoutes.get('/docs/:name{[a-z][a-z0-9-]*(?:\\.md)?}', async (c) => {
  const { name } = c.req.param()
  const content = await c.var.builtFile?.(`docs/${name}.html`)
  if (content && name !== 'index') return sendPage(c, content)
  const unknown = await c.var.builtFile?.('docs/404.html')
  if (!unknown) throw createMissingError(c)
  if (c.req.header('accept')?.includes('text/html')) return sendPage(c, unknown, 404)
  throw new SandboxError('not_found', `There is no page ${name}. /docs lists all pages.`)
})

function sendPage(
  c: Context<ControlEnv>,
  content: Uint8Array<ArrayBuffer>,
  status: 200 | 404 = 200,
): Response {
  c.header('content-security-policy', POLICY)
  return sendText(c, content, 'text/html', status)
}

const DEFAULT_SERVER = 'http://127.0.0.1:4500'

/** Sends a text that names the server's own address in place of the default one. */
function sendText(
  c: Context<ControlEnv>,
  content: Uint8Array<ArrayBuffer>,
  type: string,
  status: 200 | 404 = 200,
): Response {
  const { origin } = new URL(c.req.url)
  const text = new TextDecoder().decode(content).replaceAll(DEFAULT_SERVER, () => origin)
  return c.body(text, status, { 'content-type': `${type}; charset=utf-8` })
}

const startPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>workspace-sandbox</title>
<h1>workspace-sandbox</h1>
<p>The service is at <code>/v1</code>. Every request needs the token of a member.</p>
<ul>
<li><a href="/_sandbox/credentials">Members and their tokens</a></li>
<li><a href="/_sandbox/health">The options of the dataset</a></li>
<li><a href="/_sandbox/assumptions">The assumptions about everything that the service's documentation leaves open</a></li>
<li><a href="/docs">The API reference</a>, made from <a href="/openapi.json">the OpenAPI document</a></li>
</ul>
`
