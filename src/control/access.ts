import type { HonoRequest, MiddlewareHandler } from 'hono'
import { timingSafeEqual } from 'hono/utils/buffer'

import { SandboxError } from '../contract/errors.ts'
import type { Environment } from '../http/environment.ts'
import { preflightResponse } from '../http/headers.ts'
import { problemResponse } from '../http/problem.ts'
import { whole } from '../http/respond.ts'

/** Who may use the control plane, besides programs on this machine that name it by a loopback name. */
export interface Access {
  /** Further names under which it may be addressed. */
  readonly hosts: readonly string[]
  /** Further origins whose pages may use it. */
  readonly origins: readonly string[]
  /** What every call must then carry as bearer token. */
  readonly adminToken?: string | undefined
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/

/** The pages that a person may open from anywhere, and what they load: nothing that is kept from anybody. */
const PAGE = /^\/(?:(?:_sandbox|docs)(?:\/(?:assets\/.*)?)?)?$/

/**
 * Rejects requests from hostile pages, rebound names and other machines; lets pages of allowed origins read responses.
 * Errors: 403 for a foreign Host, Origin or site, and for another machine if there is no admin token; 401 without it.
 */
export function guard(access: Access): MiddlewareHandler<Environment> {
  const known = { hosts: new Set(access.hosts.map(bare)), origins: new Set(access.origins.map(asSent)) }
  return async (context, next) => {
    const { req } = context
    const mayBeRemote = access.adminToken !== undefined || context.env.isLocal !== false
    const stranger = mayBeRemote ? strangerOf(req, known) : remote()
    if (stranger) context.res = problemResponse(stranger)
    else if (isPreflight(req)) context.res = preflightResponse('GET, HEAD, POST, PUT, PATCH, DELETE')
    else if (!(await isAuthorized(req, access.adminToken))) context.res = problemResponse(unauthorized())
    else await next()
    const response = whole(context.res)
    share(response.headers, stranger ? undefined : req.header('origin'))
    // A response that is set over another takes on its headers.
    context.res = undefined
    context.res = response
  }
}

interface Known {
  readonly hosts: ReadonlySet<string>
  readonly origins: ReadonlySet<string>
}

/** Why a request comes from somewhere else; undefined for one that does not. */
function strangerOf(req: HonoRequest, known: Known): SandboxError | undefined {
  const host = authority(req.header('host'))
  if (!host || !isOwnName(host.name, known)) {
    return forbidden('The Host is not one of the sandbox. Allow it with --allow-host.')
  }
  const target = bare(new URL(req.url).hostname)
  if (target !== canonical(host.name) && !isOwnName(target, known)) {
    return forbidden('The host of the request target is not one of the sandbox. Allow it with --allow-host.')
  }
  const origin = req.header('origin')
  if (origin === undefined) {
    const opensPage = PAGE.test(req.path) && req.header('sec-fetch-mode') === 'navigate'
    if (req.header('sec-fetch-site') !== 'cross-site' || opensPage) return undefined
    return forbidden('The request comes from a page of another site.')
  }
  const scheme = req.url.slice(0, req.url.indexOf(':'))
  if (known.origins.has(origin) || isOwnOrigin(origin, `${scheme}://`, host.port, known)) return undefined
  return forbidden('The Origin is not one of the sandbox. Allow it with --allow-origin.')
}

/** Says whether a browser asks if a page may make a call; such a question carries no token. */
function isPreflight(req: HonoRequest): boolean {
  return req.method === 'OPTIONS' && req.header('access-control-request-method') !== undefined
}

/** Says whether a request may be answered; the token is compared in constant time. */
async function isAuthorized(req: HonoRequest, adminToken: string | undefined): Promise<boolean> {
  if (adminToken === undefined || PAGE.test(req.path)) return true
  const token = /^bearer +(\S.*)$/i.exec(req.header('authorization') ?? '')?.[1] ?? ''
  return timingSafeEqual(token, adminToken)
}

/** Lets pages of one origin read an answer, or of none. */
function share(headers: Headers, origin: string | undefined): void {
  if (origin === undefined) headers.delete('access-control-allow-origin')
  else headers.set('access-control-allow-origin', origin)
  headers.append('vary', 'Origin')
}

/** A Host header's name, as `bare` gives it, and its port. */
function authority(host: string | undefined): { readonly name: string; readonly port: string } | undefined {
  const match = /^([^:@/\s[\]]+|\[[0-9a-f]*:[0-9a-f:.]*\])(?::(\d{1,5}))?$/i.exec(host ?? '')
  return match?.[1] === undefined ? undefined : { name: bare(match[1]), port: match[2] ?? '' }
}

/** A name in lower case, an address of version 6 without its brackets. */
const bare = (name: string): string => name.toLowerCase().replace(/^\[(.*)\]$/, '$1')

/** A name as the URL of a request has it, unless its target was absolute. */
function canonical(name: string): string | undefined {
  const url = `http://${name.includes(':') ? `[${name}]` : name}`
  return URL.canParse(url) ? bare(new URL(url).hostname) : undefined
}

/** An origin as browsers send it, where people write a slash behind it. */
const asSent = (origin: string): string => origin.toLowerCase().replace(/\/$/, '')

const isOwnName = (name: string, { hosts }: Known): boolean => LOOPBACK.test(name) || hosts.has(name)

function isOwnOrigin(origin: string, scheme: string, port: string, known: Known): boolean {
  if (!origin.startsWith(scheme)) return false
  const from = authority(origin.slice(scheme.length))
  return from !== undefined && isOwnName(from.name, known) && from.port === port
}

function unauthorized(): SandboxError {
  return new SandboxError('unauthorized', 'The control plane wants the admin token as bearer token.', {
    headers: { 'www-authenticate': 'Bearer' },
  })
}

/** The error for a request from another machine. NOTE: headers such as `X-Forwarded-For` are anybody's to write. */
function remote(): SandboxError {
  return forbidden('The control plane answers this machine only. Set an admin token to use it from others.')
}

const forbidden = (detail: string): SandboxError => new SandboxError('forbidden', detail)
