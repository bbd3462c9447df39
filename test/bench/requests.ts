import type { PreparedRequest } from './load.ts'
import type { Server } from './servers.ts'

const headers = {
  host: 'localhost',
  authorization: 'Bearer sbx_harbor_1',
  accept: 'application/json',
  'user-agent': 'bench',
}
const headLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)

const home = '/v1/organizations/harbor'
export const notesPath = `${home}/customers/1/notes`
export const note = JSON.stringify({
  categoryId: 1,
  content: 'Asked about the roll-out to the second region.',
})

/** Lists the paths of each kind of request, for a tenant of a size. Every page is full. */
export const paths = {
  customer: (size: number) =>
    Array.from({ length: 100 }, (_, index) => `${home}/customers/${1 + Math.floor((index * size) / 100)}`),
  page: (size: number) => [`${home}/customers?limit=100&offset=${Math.floor((size - 100) / 2)}`],
  walk: (size: number) =>
    Array.from(
      { length: Math.floor(size / 100) },
      (_, page) => `${home}/customers?limit=100&offset=${page * 100}`,
    ),
  filtered: () => [`${home}/customers?status=active&segment=Startup&segment=SMB&limit=100`],
  mine: () => [`${home}/signals?scope=mine&limit=100`],
} as const

/** A response to send as it is. */
export interface PreparedResponse {
  readonly path: string
  /** Alternating names and values. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

export interface Requests {
  /** Returns the requests in turn, for ever. */
  readonly next: () => PreparedRequest
  readonly responses: readonly PreparedResponse[]
}

/** Headers that Node adds to every response. */
const written = new Set(['date', 'connection', 'keep-alive'])

/** Asks a server once for each path, so that the length of each response is known and a bare server can send it. */
export async function prepare(
  server: Pick<Server, 'port'>,
  list: readonly string[],
  body = '',
): Promise<Requests> {
  const method = body === '' ? 'GET' : 'POST'
  const content = body === '' ? '' : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`
  const responses = await Promise.all(
    list.map(async (path): Promise<PreparedResponse> => {
      const response = await send(server, path, method, body)
      const sent = [...response.headers].filter(([name]) => !written.has(name)).flat()
      return { path, headers: sent, body: Buffer.from(await response.arrayBuffer()) }
    }),
  )
  const requests = responses.map((response) => ({
    path: response.path,
    length: response.body.length,
    bytes: `${method} ${response.path} HTTP/1.1\r\n${headLines.join('')}${content}\r\n${body}`,
  }))
  let index = 0
  const next = (): PreparedRequest => {
    const request = requests[index % requests.length]
    if (!request) throw new Error('there are no requests')
    index += 1
    return request
  }
  return { next, responses }
}

/** Sends a request. Errors: any status but 200. */
export async function send(
  { port }: Pick<Server, 'port'>,
  path: string,
  method = 'GET',
  body = '',
): Promise<Response> {
  const { host: _, ...others } = headers
  const ask = () =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...others, ...(body !== '' && { 'content-type': 'application/json' }) },
      ...(body !== '' && { body }),
    })
  // The server may just have closed the connection that was kept.
  const response = await ask().catch(ask)
  if (response.status !== 200)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response
}
