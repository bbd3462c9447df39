import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { serveStatic } from 'hono/serve-static'

import { SandboxError } from '../../core/errors.ts'
import { type ControlEnv, readOrigin } from '../route.ts'

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

/** Highlighted code has its colours in attributes. */
const DOCS_POLICY = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")

/** The address in the documentation's examples. */
const DEFAULT_SERVER = 'http://127.0.0.1:4500'

export const pageRoutes = new Hono<ControlEnv>()

pageRoutes.get('/', (c) => c.redirect('/_sandbox'))

// The console.
pageRoutes.get('/_sandbox/', (c) => c.redirect('/_sandbox'))
pageRoutes.get('/_sandbox', async (c) => {
  const page = await c.env.builtFile?.('console/index.html')
  c.header('content-security-policy', page ? POLICY : "default-src 'none'; frame-ancestors 'none'")
  const html = page ? new TextDecoder().decode(page) : startPage
  // So the console asks for the token before it makes a call that would fail.
  return c.html(c.env.access?.adminToken === undefined ? html : html.replace('<body', '<body data-locked'))
})
pageRoutes.get('/_sandbox/assets/*', serveBuilt('console'), (c) => {
  throw new SandboxError('not_found', `There is no file ${c.req.path}. Reload the page.`)
})

// The documentation. Most applications have a /docs of their own, so these are only links to it.
pageRoutes.get('/docs', (c) => c.redirect('/_sandbox/docs/'))
pageRoutes.get('/docs/*', (c) => c.redirect(`/_sandbox${new URL(c.req.url).pathname}`))
pageRoutes.get('/llms.txt', (c) => c.redirect('/_sandbox/docs/llms.txt'))
pageRoutes.get('/_sandbox/docs', (c) => c.redirect('/_sandbox/docs/'))
pageRoutes.get('/_sandbox/docs/*', serveBuilt('docs'), async (c) => {
  const page = await c.env.builtFile?.('docs/404.html')
  const isBrowser = c.req.header('accept')?.includes('text/html')
  c.header('content-security-policy', DOCS_POLICY)
  if (isBrowser && page) return c.html(new TextDecoder().decode(page), 404)
  if (isBrowser && c.env.builtFile) return c.html(waitingPage, 503, { 'retry-after': '10' })
  const problem = page
    ? `There is no page ${c.req.path}.`
    : 'The documentation is not built yet, or not part of this server.'
  throw new SandboxError('not_found', `${problem} The OpenAPI document is at /openapi.json.`)
})

/** Serves the built files of a folder. Texts name the server's own address in place of the default one. */
function serveBuilt(folder: 'console' | 'docs'): MiddlewareHandler<ControlEnv> {
  return serveStatic({
    root: '',
    mimes: { md: 'text/markdown; charset=utf-8' },
    rewriteRequestPath: (path) => {
      const name = path.replace(/^\/_sandbox(?:\/docs)?\//, '')
      const file = name.endsWith('/') || name === '' ? `${name}index.html` : name
      return `${folder}/${/\.\w+$/.test(file) ? file : `${file}.html`}`
    },
    getContent: async (path, c: Context<ControlEnv>) => {
      const content = await c.env.builtFile?.(path)
      if (!content || !/\.(?:html|js|json|md|txt)$/.test(path)) return content ?? null
      return new TextDecoder().decode(content).replaceAll(DEFAULT_SERVER, readOrigin(c))
    },
    onFound: (path, c) => {
      if (path.endsWith('.html')) c.header('content-security-policy', DOCS_POLICY)
      // The names of assets change with their content.
      if (path.includes('/assets/')) c.header('cache-control', 'public, max-age=31536000, immutable')
    },
  })
}

const head = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>workspace-sandbox</title>
`

/** `npm start` builds the documentation while the server runs already. */
const waitingPage = `${head}<meta http-equiv="refresh" content="10">
<style>
  body { max-width: 36rem; margin: 10vh auto; padding: 0 1rem; font: 0.875rem / 1.45 system-ui, sans-serif;
    color: light-dark(#18222c, #e4e9ee); background: light-dark(#fff, #161b21) }
  h1 { font-size: 1.125rem }
  pre { padding: 0.5rem; border-radius: 0.25rem; background: light-dark(#f1f3f5, #232b34) }
  a { color: light-dark(#0b6170, #5cc6d6) }
</style>
<main>
<h1>The documentation is not built yet</h1>
<p><code>npm start</code> builds it in the background, in a minute or two, and this page reloads until it is there. After
another start, run this in the clone of the repository:</p>
<pre>npm run build:docs</pre>
<p>A package installed from a Git URL has none: read the folder <code>docs</code> of the repository. Without it, see
<a href="/_sandbox">the console</a> and <a href="/openapi.json">the OpenAPI document</a>.</p>
</main>
`

const startPage = `${head}
<h1>workspace-sandbox</h1>
<p>The service is at <code>/v1</code>. Every request needs the token of a member.</p>
<ul>
<li><a href="/_sandbox/credentials">Members and their tokens</a></li>
<li><a href="/_sandbox/health">The options of the dataset</a></li>
<li><a href="/_sandbox/assumptions">The assumptions about everything that the service's documentation leaves open</a></li>
<li><a href="/openapi.json">The OpenAPI document</a></li>
</ul>
`
