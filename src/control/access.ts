import type { HonoRequest, MiddlewareHandler } from 'hono'
import { timingSafeEqual } from 'hono/utils/buffer'

import { SandboxError } from '../core/errors.ts'
import { preflightResponse } from '../core/response.ts'
import type { Env } from '../http/env.ts'
import { problemResponse } from '../http/problem.ts'

/** Clients that may use the control plane, besides programs on this machine that use a loopback name. */
export interface Access {
  readonly hosts: readonly string[]
  readonly origins: readonly string[]
  /** The origin under which others reach the sandbox, as behind a proxy; its name and its pages are allowed. */
  readonly publicUrl?: string | undefined
  readonly adminToken?: string | undefined
}

const LOOPBACK = /^(?:(?:[^.]+\.)*localhost|127(?:\.\d{1,3}){3}|::1)$/

/** The pages that may be opened without the admin token, and their files; they hold no secrets. */
const PAGE = /^\/(?:_sandbox(?:\/(?:(?:assets|docs)\/.*)?)?|docs(?:\/.*)?|llms\.txt)?$/s

/** Probes of the machine's health know neither its names nor its token. */
const PROBED = '/health'

/**
 * Rejects requests from hostile pages, rebound names and other machines. Pages of allowed origins may read responses.
 * Errors: 403 for a foreign Host, Origin or site, and for another machine if no admin token is set; 401 without the token.
 * `/health` answers under every Host, from other machines and without the token.
 */
export function guard<E extends Env>(access: Access): MiddlewareHandler<E> {
  const { publicUrl } = access
  const ownHosts = publicUrl === undefined ? [] : [new URL(publicUrl).hostname]
  const origins = [...access.origins, publicUrl ?? []].flat()
  const allowed: Allowed = {
    hosts: [...access.hosts, ...ownHosts].map(normalize),
    origins: origins.map((origin) => origin.toLowerCase().replace(/\/$/, '')),
  }
  return async (context, next) => {
    const { req } = context
    const isPreflight = req.method === 'OPTIONS' && req.header('access-control-request-method') !== undefined
    const mayBeRemote =
      access.adminToken !== undefined || context.env.isLocal !== false || req.path === PROBED
    const error = mayBeRemote ? checkSource(req, allowed) : forbidden(FOREIGN)
    if (error) context.res = problemResponse(error)
    else if (isPreflight)
      context.res = preflightResponse(req.raw.headers, 'GET, HEAD, POST, PUT, PATCH, DELETE')
    else if (!(await isAuthorized(req, access.adminToken))) context.res = problemResponse(unauthorized)
    else await next()
    const { headers } = context.res
    const origin = error ? undefined : req.header('origin')
    if (origin === undefined) headers.delete('access-control-allow-origin')
    else headers.set('access-control-allow-origin', origin)
    headers.set('vary', 'Origin')
  }
}

export const isLoopbackName = (name: string): boolean => LOOPBACK.test(normalize(name))

type Allowed = Pick<Access, 'hosts' | 'origins'>

function checkSource(req: HonoRequest, allowed: Allowed): SandboxError | undefined {
  const host = parseHost(req.header('host') ?? new URL(req.url).host)
  if (req.path !== PROBED) {
    if (!host || !isOwnName(host.name, allowed)) {
      return forbidden('This Host is not allowed. Allow it with the option allowHost (--allow-host).')
    }
    const target = normalize(new URL(req.url).hostname)
    if (target !== canonicalize(host.name) && !isOwnName(target, allowed)) {
      return forbidden(
        'The host of the request target is not allowed. Allow it with the option allowHost (--allow-host).',
      )
    }
  }
  const origin = req.header('origin')
  if (origin === undefined) {
    const opensPage = PAGE.test(req.path) && req.header('sec-fetch-mode') === 'navigate'
    if (req.header('sec-fetch-site') !== 'cross-site' || opensPage) return undefined
    return forbidden('Pages of other sites may not call the control plane.')
  }
  const scheme = `${req.url.slice(0, req.url.indexOf(':'))}://`
  const page = origin.startsWith(scheme) ? parseHost(origin.slice(scheme.length)) : undefined
  const isOwnPage = page !== undefined && isOwnName(page.name, allowed) && page.port === host?.port
  if (isOwnPage || allowed.origins.includes(origin)) return undefined
  return forbidden('This Origin is not allowed. Allow it with the option allowOrigin (--allow-origin).')
}

async function isAuthorized(req: HonoRequest, adminToken: string | undefined): Promise<boolean> {
  if (adminToken === undefined || PAGE.test(req.path) || req.path === PROBED) return true
  const token = /^bearer +(\S.*)$/i.exec(req.header('authorization') ?? '')?.[1] ?? ''
  return timingSafeEqual(token, adminToken)
}

function parseHost(host: string | undefined): { readonly name: string; readonly port: string } | undefined {
  const match = /^([^:@/\s[\]]+|\[[0-9a-f]*:[0-9a-f:.]*\])(?::(\d{1,5}))?$/i.exec(host ?? '')
  return match?.[1] === undefined ? undefined : { name: normalize(match[1]), port: match[2] ?? '' }
}

/** Spells a name without brackets, and without the final dot of a complete one. */
const normalize = (name: string): string => name.toLowerCase().replace(/^\[(.*)\]$|\.$/, '$1')

/** Spells a name as the URL of a request does, unless the request target is absolute. */
function canonicalize(name: string): string | undefined {
  const url = `http://${name.includes(':') ? `[${name}]` : name}`
  return URL.canParse(url) ? normalize(new URL(url).hostname) : undefined
}

const isOwnName = (name: string, { hosts }: Allowed): boolean => LOOPBACK.test(name) || hosts.includes(name)

const unauthorized = new SandboxError(
  'unauthorized',
  'The control plane requires the admin token. Send it as a bearer token.',
  { headers: { 'www-authenticate': 'Bearer' } },
)

/** NOTE: any client can send headers such as `X-Forwarded-For`, so that these do not count. */
const FOREIGN =
  'The control plane is available on this machine only. Set an admin token (the option adminToken) to use it from others.'

const forbidden = (detail: string): SandboxError => new SandboxError('forbidden', detail)
