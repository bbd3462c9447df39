import { Hono } from 'hono'

import { SandboxError } from '../contract/errors.ts'
import type { Environment } from '../http/environment.ts'
import { controlHeaders, withLength } from './exchange.ts'
import { startPage } from './start-page.ts'

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

/** The console and the API reference, what they load, and the redirects to them. Errors: 404 for a file that was not built. */
export function pageRoutes(file: BuiltFile | undefined): Hono<Environment> {
  const app = new Hono<Environment>()
  app.get('/', () => redirectTo('/_sandbox'))
  for (const [path, { folder, instead }] of Object.entries(pages)) {
    const found = (name: string) => file?.(`${folder}/${name}`)
    app.get(path, async () => {
      const content = await found('index.html')
      return content ? html(content) : instead(file !== undefined)
    })
    app.get(`${path}/`, () => redirectTo(path))
    app.get(`${path}/assets/:name{[\\w-]+\\.(?:js|css)}`, async (context) => {
      const name = context.req.param('name')
      const content = await found(`assets/${name}`)
      if (!content) throw new SandboxError('not_found', `There is no file ${name} of this page.`)
      const type = mediaTypes[name.slice(name.lastIndexOf('.') + 1)] ?? ''
      const headers = { ...controlHeaders, 'content-type': `${type}; charset=utf-8` }
      return withLength(content, { ...headers, 'cache-control': FOR_EVER })
    })
  }
  return app
}

function html(content: Uint8Array<ArrayBuffer>): Response {
  const headers = { ...controlHeaders, 'content-type': 'text/html; charset=utf-8' }
  return withLength(content, { ...headers, 'content-security-policy': POLICY })
}

function redirectTo(location: string): Response {
  return new Response(null, { status: 302, headers: { ...controlHeaders, location } })
}

/** A file's name changes with its content. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Where each page is, under which folder of `dist`, and what answers where it was not built, or nothing is. */
const pages: Readonly<Record<string, Page>> = {
  '/_sandbox': { folder: 'console', instead: startPage },
  '/docs': {
    folder: 'docs',
    instead: (isBuilt) => {
      const why = isBuilt
        ? 'The page was not built: `npm run build:pages`.'
        : 'The API reference is served by the command `workspace-sandbox` and by `startSandbox`.'
      throw new SandboxError('not_found', `${why} The document is /openapi.json.`)
    },
  },
}

interface Page {
  readonly folder: string
  /** @param isBuilt whether there is a package to read from. */
  readonly instead: (isBuilt: boolean) => Response
}
