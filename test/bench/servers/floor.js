// The floor for reads: bare Hono with the routes of the service (first argument) and one async middleware. It sends another
// server's responses from Buffers.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

/** By path: the headers and the body. */
const responses = new Map()

const app = new Hono()
app.use(async (_context, next) => {
  await next()
})
for (const { method, path } of JSON.parse(process.argv[2])) {
  app.on(method, [path], (context) => {
    const { headers, body } = responses.get(context.env.incoming.url)
    return new Response(body, { headers })
  })
}

process.on('message', (message) => {
  if (!Array.isArray(message)) return
  for (const { path, headers, body } of message) {
    const pairs = headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1]]] : []))
    responses.set(path, { headers: Object.fromEntries(pairs), body })
  }
  process.send({ ready: responses.size })
})
process.channel.unref()

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  console.log(JSON.stringify({ port })),
)
