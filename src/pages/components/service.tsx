import { useState } from 'preact/hooks'

import type { Preview } from '../../lab/explain/schemas.ts'
import { type HttpRequest, baseUrl, formatCurl } from '../curl.ts'
import { requests } from '../live.ts'
import { Copy } from './code.tsx'
import { Json } from './json.tsx'
import { parseJson } from './schema.ts'
import { StatusTag } from './status.tsx'
import { Button, Problem, RequestLink } from './ui.tsx'

interface ServiceResponse {
  readonly status: number
  readonly text: string
}

/** Sends a request to the service, which records it. @throws TypeError if there is no response */
async function sendToService({ method, url, headers, body }: HttpRequest): Promise<ServiceResponse> {
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
  const response = await fetch(url, { method, headers, ...(hasBody && { body }) })
  return { status: response.status, text: await response.text() }
}

function useService() {
  const [state, setState] = useState<{ readonly response?: ServiceResponse; readonly error?: Error }>({})
  const send = (request: HttpRequest): Promise<void> =>
    sendToService(request).then(
      (response) => setState({ response }),
      () => setState({ error: new Error('The connection broke off without a response.') }),
    )
  return { ...state, send }
}

function ResponseBody({ text }: { text: string }) {
  const parsed = parseJson(text)
  return parsed ? <Json value={parsed.json} /> : <pre class="body">{text || 'Empty body.'}</pre>
}

const toRequest = (path: string, token: string): HttpRequest => ({
  method: 'GET',
  url: `${baseUrl()}${path}`,
  headers: { Authorization: `Bearer ${token}` },
})

export function TryIt({ label, path, token }: { label: string; path: string; token: string }) {
  const { response, error, send } = useService()
  const latest = requests.value.at(-1)
  return (
    <div class="try-it">
      <p class="row">
        <Button class="primary" run={() => send(toRequest(path, token))}>
          {label}
        </Button>
        <span class="hint">A real request: it is recorded, and faults act on it.</span>
      </p>
      <Problem error={error} />
      {response && (
        <section aria-label="Response">
          <p class="row">
            <StatusTag status={response.status} />
            {latest && <RequestLink id={latest.id}>Request {latest.id}</RequestLink>}
          </p>
          <ResponseBody text={response.text} />
        </section>
      )}
    </div>
  )
}

interface RequestLineProps {
  readonly path: string
  readonly token: string
  readonly response: Preview
}

export function RequestLine({ path, token, response: { status, request } }: RequestLineProps) {
  return (
    <p class="row request-line">
      <StatusTag status={status} />
      <code title={request}>{request}</code>
      <Copy text={formatCurl(toRequest(path, token))} subject="the request as curl" label="Copy as curl" />
    </p>
  )
}

export function Outcome({ response: { status, body, warnings } }: { response: Preview }) {
  return (
    <>
      {warnings.map((warning) => (
        <p key={warning}>
          <span class="tag warn">Sandbox-Warning</span> {warning}
        </p>
      ))}
      {status >= 300 && (
        <div class="problem" role="alert">
          <Json value={body} openDepth={3} />
        </div>
      )}
    </>
  )
}
