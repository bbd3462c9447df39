import { once } from 'node:events'
import { createServer, isIP, type Server, type Socket } from 'node:net'

import { errorCode } from '../../store/disk/storage-errors.ts'
import { DEFAULT_PORT, StartError, type StartErrorCode } from './options.ts'

/** `localhost`, and each name under it, may be either. */
const LOOPBACKS = ['127.0.0.1', '::1'] as const

/** Resolves a host to the addresses to listen on; by default every loopback address. */
export function listAddresses(host: string | undefined): readonly string[] {
  if (host === undefined || /^(?:[^.]+\.)*localhost\.?$/i.test(host)) return LOOPBACKS
  // An IPv4 address within IPv6 is the same address, which URLs spell in another way.
  return [host.replace(/^\[(.*)\]$/, '$1').replace(/^::ffff:(?=[\d.]+$)/i, '')]
}

export function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false
  return /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/i.test(address)
    ? isIP(address) !== 0
    : LOOPBACKS.some((one) => one === address)
}

export const isWildcard = (address: string): boolean => address === '0.0.0.0' || address === '::'

/** Formats the URL authority under which programs on this machine reach an address. */
export function toAuthority(address: string, port: number): string {
  const local = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address
  return formatAuthority(local, port)
}

// The pattern of Node's `isIPv6` would be compiled a second time, for speed, which takes 1 ms of a start.
const formatAuthority = (address: string, port: number): string =>
  `${address.includes(':') ? `[${address}]` : address}:${port}`

export interface Listening {
  /** The URL of the first address. */
  readonly url: string
  /** Stops accepting connections at every address but the first, which is the server's own. */
  readonly stop: () => void
}

/** How many ports after the default one to try, or how often to try any free one. */
const ATTEMPTS = 100

/**
 * Makes a server listen on every address of a host.
 * @throws StartError if the port is in use or the address is unavailable; the default port moves to the next free one
 */
export async function listen(
  server: Server,
  host: string | undefined,
  port: number | undefined,
): Promise<Listening> {
  const addresses = listAddresses(host)
  for (let attempt = 0; ; attempt += 1) {
    const wanted = port ?? DEFAULT_PORT + attempt
    try {
      return await listenOn(server, addresses, wanted)
    } catch (error) {
      const mayMove = port === undefined || port === 0
      if (!mayMove || !isBusy(error) || attempt + 1 === ATTEMPTS)
        throw toStartError(error, addresses[0] ?? '', wanted)
    }
  }
}

/** Listens on all addresses at one port, or on none; skips addresses that the machine does not have. */
async function listenOn(server: Server, addresses: readonly string[], wanted: number): Promise<Listening> {
  const bound: { readonly server: Server; readonly address: string; readonly port: number }[] = []
  let missing: unknown
  for (const address of addresses) {
    const [first] = bound
    const forward = (socket: Socket): boolean => server.emit('connection', socket)
    const next = first ? createServer({ allowHalfOpen: true, noDelay: true }, forward) : server
    try {
      // The first port determines the others.
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
  const url = `http://${toAuthority(first.address, first.port)}`
  return { url, stop: () => others.forEach((other) => other.server.close()) }
}

async function bind(server: Server, host: string, port: number): Promise<number> {
  server.listen({ host, port, ipv6Only: host === '::1' })
  await once(server, 'listening')
  const bound = server.address()
  return typeof bound === 'object' && bound ? bound.port : port
}

const isBusy = (error: unknown) => errorCode(error) === 'EADDRINUSE'
const isMissing = (error: unknown) => ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(errorCode(error))

/** @param first the address to name if the error names none */
function toStartError(error: unknown, first: string, port: number): unknown {
  const address = error instanceof Error && 'address' in error ? String(error.address) : first
  const create = (code: StartErrorCode, text: string) =>
    new StartError(code, `Cannot listen on ${formatAuthority(address, port)}: ${text}`)
  if (isBusy(error)) {
    const advice = 'Choose another with the option port, or 0 for any free one.'
    return create('port_in_use', `the port is in use. ${advice}`)
  }
  if (errorCode(error) === 'EACCES') {
    const advice = 'Choose one above 1023 with the option port.'
    return create('address_unavailable', `the port is reserved. ${advice}`)
  }
  if (isMissing(error) || ['ENOTFOUND', 'EAI_AGAIN'].includes(errorCode(error))) {
    const advice = 'Choose another with the option host.'
    return create('address_unavailable', `this machine has no such address. ${advice}`)
  }
  return error
}
