import type { MiddlewareHandler } from 'hono'
import { timingSafeEqual } from 'hono/utils/buffer'

import { SandboxError } from '../contract/errors.ts'

/** Who may use the control plane, besides programs on this machine that name it by a loopback name. */
export interface Access {
  /** Further names under which it may be addressed. */
  readonly hosts: readonly string[]
  /** Further origins whose pages may use it. */
  readonly origins: readonly string[]
  /** What every call must then carry as bearer token. */
  readonly adminToken?: string | undefined
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** The page that a person may open from anywhere. */
const CONSOLE = '/_sandbox'

/**
 * Refuses what a hostile page or a rebound name sends.
 * Errors: 403 for a foreign Host, Origin or site; 401 without the admin token.
 */
export function guard(access: Access): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context
    const host = authority(req.header('host'))
    if (!host || !isOwnName(host.name, access))
      throw forbidden('The Host is not one of the sandbox. Allow it with --allow-host.')
    const origin = req.header('origin')
    if (origin !== undefined && !isOwnOrigin(origin, host.port, access)) {
      throw forbidden('The Origin is not one of the sandbox. Allow it with --allow-origin.')
    }
    const opensConsole = req.path === CONSOLE && req.header('sec-fetch-mode') === 'navigate'
    const allowedOrigin = origin !== undefined && access.origins.includes(origin)
    if (req.header('sec-fetch-site') === 'cross-site' && !opensConsole && !allowedOrigin) {
      throw forbidden('The request comes from a page of another site.')
    }
    if (access.adminToken !== undefined && req.path !== CONSOLE)
      await authorize(req.header('authorization'), access.adminToken)
    await next()
  }
}

async function authorize(header: string | undefined, adminToken: string): Promise<void> {
  const token = /^bearer +(.*)$/i.exec(header ?? '')?.[1] ?? ''
  if (await timingSafeEqual(token, adminToken)) return
  throw new SandboxError('unauthorized', 'The control plane wants the admin token as bearer token.', {
    headers: { 'www-authenticate': 'Bearer' },
  })
}

/** A Host header's name, in lower case, and its port. */
function authority(host: string | undefined): { readonly name: string; readonly port: string } | undefined {
  const match = /^([^:@/\s]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i.exec(host ?? '')
  return match?.[1] === undefined ? undefined : { name: match[1].toLowerCase(), port: match[2] ?? '' }
}

function isOwnName(name: string, access: Access): boolean {
  return LOOPBACK.test(name) || access.hosts.some((host) => host.toLowerCase() === name)
}

function isOwnOrigin(origin: string, port: string, access: Access): boolean {
  if (access.origins.includes(origin)) return true
  const own = /^https?:\/\/(.+)$/.exec(origin)?.[1]
  const from = authority(own)
  return from !== undefined && isOwnName(from.name, access) && from.port === port
}

function forbidden(detail: string): SandboxError {
  return new SandboxError('forbidden', detail)
}
