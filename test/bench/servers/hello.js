// The baseline for start-up and memory: a minimal Hono app with its modules as installed.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()
app.get('/hello', (context) => context.text('hello'))

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  console.log(JSON.stringify({ port })),
)
