import { controlHeaders, withLength } from './exchange.ts'

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>workspace-sandbox</title>
<h1>workspace-sandbox</h1>
<p>The service answers under <code>/v1</code>. Every call needs the token of a member.</p>
<ul>
<li><a href="/_sandbox/credentials">Members and their tokens</a></li>
<li><a href="/_sandbox/health">What the data is made from</a></li>
<li><a href="/_sandbox/assumptions">What the sandbox assumes where the service's document is silent</a></li>
<li><a href="/docs">The API reference</a>, made from <a href="/openapi.json">the OpenAPI document</a></li>
</ul>
`

/** What stands at the root of the control plane where nobody has the files of the console: where to go from here. */
export function startPage(): Response {
  return withLength(page, {
    ...controlHeaders,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  })
}
