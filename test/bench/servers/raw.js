// The limit for reads: node:http alone, which answers from ready Buffers what another server answered.
import { createServer } from 'node:http'

/** By path: the head's names and values in turn, and the body. */
const answers = new Map()

const server = createServer((request, response) => {
  const { headers, body } = answers.get(request.url)
  response.writeHead(200, headers)
  response.end(body)
})

process.on('message', (message) => {
  if (!Array.isArray(message)) return
  for (const { path, headers, body } of message) answers.set(path, { headers, body })
  process.send({ ready: answers.size })
})
process.channel.unref()

server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })))
