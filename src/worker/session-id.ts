import { readPath, sessionInBase } from '../http/session-base.ts'
import { SessionId } from '../sessions/open-session.ts'

export const SESSIONS = '/_sandbox/sessions'

const SESSION = /^\/_sandbox\/sessions\/([^/]+)$/

export const sessionInPath = (request: Request): string | undefined => SESSION.exec(readPath(request))?.[1]

export function opensSession(request: Request): boolean {
  const { method } = request
  if (method === 'PUT') return sessionInPath(request) !== undefined
  return method === 'POST' && readPath(request) === SESSIONS
}

export async function readInput(request: Request): Promise<Readonly<Record<string, unknown>>> {
  try {
    return Object(await request.clone().json())
  } catch {
    return {}
  }
}

export async function findSessionId(request: Request): Promise<string | undefined> {
  const id =
    sessionInBase(request) ??
    sessionInPath(request) ??
    (opensSession(request) ? (await readInput(request))['id'] : request.headers.get('sandbox-session'))
  return SessionId.safeParse(id).data
}
