import { type FieldError, type ProblemCode, problems, SandboxError } from '../core/errors.ts'
import { parseJson } from '../core/json.ts'

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
    const response = await send(target, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw toError(response.status, text)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the control plane describes this response in its OpenAPI document
    return (text === '' ? undefined : parseJson(text)) as T
  }
}

async function send(target: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(target, init)
  } catch (error) {
    const advice = 'Start one with `npx workspace-sandbox`, or leave out its URL.'
    const message = `No sandbox answers at ${target.origin}. ${advice}`
    throw new SandboxError('storage_unavailable', message, { cause: error })
  }
}

type Problem = { readonly detail?: string; readonly code?: string; readonly errors?: readonly FieldError[] }

function toError(status: number, text: string): SandboxError {
  const { code, detail, errors }: Problem = Object(parseJson(text))
  const problem = Object.keys(problems).find((name): name is ProblemCode => name === code)
  const message = detail ?? `The control plane returned ${status}: ${text.slice(0, 200)}`
  return new SandboxError(problem ?? 'internal_error', message, errors && { errors })
}
