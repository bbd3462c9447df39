import { readPath, sessionInBase } from '../http/session-base.ts'
import { SessionId } from '../sessions/open-session.ts'
import {
  findSessions,
  type ObjectId,
  type ObjectNamespace,
  type ObjectStorage,
  type WorkerEnv,
} from './options.ts'

/** The name of the object that lists all sessions; no session can have it. */
const NAME = '/'

const HOST = 'http://sessions/'

export function isIndex(id: ObjectId, env: WorkerEnv): boolean {
  return id.toString() === findSessions(env).idFromName(NAME).toString()
}

export async function noteSession(env: WorkerEnv, id: string, method: 'PUT' | 'DELETE'): Promise<void> {
  await askIndex(env, method, id)
}

/** Reserves an id for a session that its client has not named: `session-` and the next number. */
export async function reserveSession(env: WorkerEnv): Promise<string> {
  return (await askIndex(env, 'POST')).text()
}

export async function listSessionIds(env: WorkerEnv): Promise<string[]> {
  return JSON.parse(await (await askIndex(env, 'GET')).text())
}

function askIndex(env: WorkerEnv, method: string, id = ''): Promise<Response> {
  return findObject(env, NAME).fetch(new Request(`${HOST}${id}`, { method }))
}

export function findObject(env: WorkerEnv, name: string): ReturnType<ObjectNamespace['get']> {
  const objects = findSessions(env)
  return objects.get(objects.idFromName(name))
}

export function answerAsIndex({ method, url }: Request, { sql }: ObjectStorage): Response {
  sql.exec('CREATE TABLE IF NOT EXISTS sessions (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE)')
  const id = url.slice(HOST.length)
  if (method === 'POST') return new Response(reserve(sql))
  if (method === 'PUT') sql.exec('INSERT OR IGNORE INTO sessions (id) VALUES (?)', id)
  if (method === 'DELETE') sql.exec('DELETE FROM sessions WHERE id = ?', id)
  const rows = method === 'GET' ? sql.exec('SELECT id FROM sessions ORDER BY number').toArray() : []
  return new Response(JSON.stringify(rows.map((row) => row['id'])))
}

function reserve(sql: ObjectStorage['sql']): string {
  const [last] = sql
    .exec<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'sessions'")
    .toArray()
  for (let number = (last?.seq ?? 0) + 1; ; number += 1) {
    const id = `session-${number}`
    const added = sql.exec('INSERT OR IGNORE INTO sessions VALUES (?, ?) RETURNING id', number, id).toArray()
    if (added.length > 0) return id
  }
}

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
