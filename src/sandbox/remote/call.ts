import { type ProblemCode, problems, readErrorBody, SandboxError } from '../../core/errors.ts'
import { toJson } from '../../core/exact-json.ts'
import { parseJson } from '../../core/json.ts'

export interface Server {
  readonly url: string
  readonly adminToken?: string | undefined
}

export interface CallParts {
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined
  readonly body?: unknown
}

/**
 * Calls the control plane in a session, and returns the JSON of the response.
 * @param path the path below `/_sandbox`
 * @throws SandboxError with the code of the response
 */
export type Call = <T>(method: string, path: string, parts?: CallParts) => Promise<T>

export function createCall({ url, adminToken }: Server, session?: string): Call {
  const headers: Record<string, string> = {
    ...(session !== undefined && { 'sandbox-session': session }),
    ...(adminToken !== undefined && { authorization: `Bearer ${adminToken}` }),
  }
  return async <T>(method: string, path: string, { query = {}, body }: CallParts = {}): Promise<T> => {
    const target = new URL(`${url}/_sandbox/${path}`)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) target.searchParams.set(name, String(value))
    }
    const { ok, status, text } = await send(target, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(toJson(body)) }),
    })
    const value = parseJson(text)
    if (!ok || (value === undefined && text !== '')) throw toError(ok, status, text)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the control plane describes this response in its OpenAPI document
    return value as T
  }
}

async function send(target: URL, init: RequestInit) {
  try {
    const response = await fetch(target, init)
    return { ok: response.ok, status: response.status, text: await response.text() }
  } catch (error) {
    const advice = 'Start one with `npx workspace-sandbox`, or leave out its URL.'
    const message = `No sandbox answers at ${target.origin}. ${advice}`
    throw new SandboxError('storage_unavailable', message, { cause: error })
  }
}

/** The most of a foreign body that an error shows. Units: characters. */
const MAX_SHOWN = 200

function toError(ok: boolean, status: number, text: string): SandboxError {
  const { code, detail, errors } = readErrorBody(text)
  const problem = Object.keys(problems).find((name): name is ProblemCode => name === code)
  const shown = text.slice(0, MAX_SHOWN).replaceAll(/\s+/g, ' ')
  const message = detail ?? `The control plane returned ${status}${ok ? ' without JSON' : ''}: ${shown}`
  return new SandboxError(problem ?? 'internal_error', message, errors.length > 0 ? { errors } : {})
}
