import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Asks the language server of TypeScript what an editor shows at some places of a file. */
export async function hover(file: string, places: readonly object[]): Promise<string[]> {
  const child = spawn(resolve('node_modules/.bin/tsc'), ['--lsp', '--stdio'], { cwd: dirname(file) })
  const waiting = new Map<unknown, (result: unknown) => void>()
  let received = ''
  child.stdout.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk
    for (;;) {
      const [head = '', length] = /^Content-Length: (\d+)[^]*?\r\n\r\n/.exec(received) ?? []
      const end = head.length + Number(length)
      if (length === undefined || received.length < end) return
      const { id, method, result } = JSON.parse(received.slice(head.length, end))
      received = received.slice(end)
      if (method === undefined) waiting.get(id)?.(result)
      else if (id !== undefined) send({ id, result: null })
    }
  })
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  const request = (method: string, params: object) =>
    new Promise<unknown>((answer) => {
      const id = waiting.size + 1
      waiting.set(id, answer)
      send({ id, method, params })
    })
  const uri = pathToFileURL(file).href
  const capabilities = { textDocument: { hover: { contentFormat: ['markdown'] } } }
  try {
    await request('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(dirname(file)).href,
      capabilities,
    })
    send({ method: 'initialized', params: {} })
    const textDocument = { uri, languageId: 'typescript', version: 1, text: readFileSync(file, 'utf8') }
    send({ method: 'textDocument/didOpen', params: { textDocument } })
    const hovers = places.map((position) =>
      request('textDocument/hover', { textDocument: { uri }, position }),
    )
    return (await Promise.all(hovers)).map((shown) => String(Object(shown).contents?.value))
  } finally {
    child.kill()
  }
}
