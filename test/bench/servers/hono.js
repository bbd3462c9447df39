// For scale: a Hono app that serializes objects in memory, like a hand-written mock.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const bodies = new Map()
const app = new Hono()
app.get('*', (context) => context.json(bodies.get(context.req.path + new URL(context.req.url).search)))

process.on('message', (message) => {
  if (!Array.isArray(message)) return
  for (const { path, body } of message) bodies.set(path, JSON.parse(body.toString()))
  process.send({ ready: bodies.size })
})
process.channel.unref()

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  console.log(JSON.stringify({ port })),
)
