// The limit for the start and for memory: the smallest Hono application, with its modules as they are installed.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()
app.get('/hello', (context) => context.text('hello'))

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  console.log(JSON.stringify({ port })),
)
