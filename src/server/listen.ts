import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

import { codeOf } from '../store/disk.ts'
import { addressesOf, authority } from './addresses.ts'
import { DEFAULT_PORT } from './options.ts'
import { StartError } from './start-error.ts'

/** Where a server listens. */
export interface Listening {
  /** The first of its addresses. */
  readonly address: string
  readonly port: number
  /** Accepts no further connections but at the first address, which is the server's own. */
  stop(): void
}

/** How far the default port moves on, and how often any free port is tried. */
const ATTEMPTS = 100

/**
 * Makes a server listen on every address of a host, and waits until it does.
 * Errors: StartError where the port is in use (the default port moves on instead), or the address is not to be had.
 */
export async function listen(
  server: Server,
  host: string | undefined,
  port: number | undefined,
): Promise<Listening> {
  const addresses = addressesOf(host)
  for (let attempt = 0; ; attempt += 1) {
    const wanted = port ?? DEFAULT_PORT + attempt
    try {
      // oxlint-disable-next-line no-await-in-loop -- one port after the other
      return await listenOn(server, addresses, wanted)
    } catch (error) {
      const mayMove = port === undefined || port === 0
      if (!mayMove || !isBusy(error) || attempt + 1 === ATTEMPTS)
        throw refusal(error, addresses[0] ?? '', wanted)
    }
  }
}

/** Listens on all addresses at one port, or on none. An address that the machine does not have is left out. */
async function listenOn(server: Server, addresses: readonly string[], wanted: number): Promise<Listening> {
  const bound: { readonly server: Server; readonly address: string; readonly port: number }[] = []
  let missing: unknown
  for (const address of addresses) {
    const [first] = bound
    const next = first ? forwarding(server) : server
    try {
      // oxlint-disable-next-line no-await-in-loop -- the first tells the port of the others
      bound.push({ server: next, address, port: await bind(next, address, first?.port ?? wanted) })
    } catch (error) {
      if (!isMissing(error)) {
        for (const one of bound) one.server.close()
        throw error
      }
      missing = error
    }
  }
  const [first, ...others] = bound
  if (!first) throw missing
  return {
    address: first.address,
    port: first.port,
    stop: () => others.forEach((other) => other.server.close()),
  }
}

/** Hands its connections to another server, which sees no difference. */
function forwarding(server: Server): Server {
  const options = { allowHalfOpen: true, noDelay: true }
  return createServer(options, (socket) => server.emit('connection', socket))
}

async function bind(server: Server, host: string, port: number): Promise<number> {
  server.listen({ host, port, ipv6Only: host === '::1' })
  await once(server, 'listening')
  const bound = server.address()
  return typeof bound === 'object' && bound ? bound.port : port
}

const isBusy = (error: unknown) => codeOf(error) === 'EADDRINUSE'
const isMissing = (error: unknown) => ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(codeOf(error))

function refusal(error: unknown, address: string, port: number): unknown {
  const what = `Cannot listen on ${authority(address, port)}`
  if (isBusy(error)) {
    return new StartError(
      'port_in_use',
      `${what}: the port is in use. Choose another with --port, or 0 for any free one.`,
    )
  }
  if (codeOf(error) === 'EACCES') {
    return new StartError(
      'address_unavailable',
      `${what}: the port is reserved. Choose one above 1023 with --port.`,
    )
  }
  if (isMissing(error) || ['ENOTFOUND', 'EAI_AGAIN'].includes(codeOf(error))) {
    return new StartError(
      'address_unavailable',
      `${what}: this machine has no such address. Choose another with --host.`,
    )
  }
  return error
}
