import { isIP, isIPv6 } from 'node:net'

/** Both loopback addresses, because `localhost` may be either. */
const LOOPBACKS = ['127.0.0.1', '::1'] as const

/** The addresses that a host stands for; every loopback one by default. */
export function addressesOf(host: string | undefined): readonly string[] {
  if (host === undefined || host.toLowerCase() === 'localhost') return LOOPBACKS
  return [host.replace(/^\[(.*)\]$/, '$1')]
}

/** Reports whether an address is one of this machine's loopback addresses; an unknown one is not. */
export function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false
  return /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/i.test(address)
    ? isIP(address) !== 0
    : LOOPBACKS.some((own) => own === address)
}

/** Says whether an address stands for all of the machine's. */
export function isWildcard(address: string): boolean {
  return address === '0.0.0.0' || address === '::'
}

/** The address under which a program of this machine reaches a listening one. */
export function reachable(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1'
  return address === '::' ? '::1' : address
}

/** An address and a port, as they stand in a URL. */
export function authority(address: string, port: number): string {
  return `${isIPv6(address) ? `[${address}]` : address}:${port}`
}
