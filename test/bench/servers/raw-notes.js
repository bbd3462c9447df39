// The bare server for writes: node:http alone. It appends each note to a file and responds once it is on the disk;
// requests that arrive during a flush share the next one.
import { fdatasync, openSync, write } from 'node:fs'
import { createServer } from 'node:http'
import { promisify } from 'node:util'

const [flush, append] = [promisify(fdatasync), promisify(write)]
const file = openSync(process.argv[2], 'a')

let prepared
let waiting = []
let isWriting = false

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    waiting.push({ response, note: JSON.parse(Buffer.concat(chunks).toString()) })
    if (!isWriting) void writeWaiting()
  })
})

async function writeWaiting() {
  isWriting = true
  while (waiting.length > 0) {
    const batch = waiting
    waiting = []
    await append(file, batch.map(({ note }) => `${JSON.stringify(note)}\n`).join(''))
    await flush(file)
    for (const { response } of batch) {
      response.writeHead(200, prepared.headers)
      response.end(prepared.body)
    }
  }
  isWriting = false
}

process.on('message', (message) => {
  if (!Array.isArray(message)) return
  prepared = message[0]
  process.send({ ready: 1 })
})
process.channel.unref()

server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })))
