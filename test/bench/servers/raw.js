// The bare server for reads: node:http alone. It sends another server's responses from Buffers.
import { createServer } from 'node:http'

/** By path: alternating names and values of the headers, and the body. */
const responses = new Map()

const server = createServer((request, response) => {
  const { headers, body } = responses.get(request.url)
  response.writeHead(200, headers)
  response.end(body)
})

process.on('message', (message) => {
  if (!Array.isArray(message)) return
  for (const { path, headers, body } of message) responses.set(path, { headers, body })
  process.send({ ready: responses.size })
})
process.channel.unref()

server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })))
