import type { Preview } from '../../../explain/preview.ts'
import { Copy } from '../../components/code.tsx'
import { Json } from '../../components/json.tsx'
import { StatusTag } from '../../components/status.tsx'
import { baseUrl, formatCurl } from '../../curl.ts'
import { isRecord, summarize } from './labels.ts'

interface RequestLineProps {
  /** The path with the query, relative to the base URL. */
  readonly path: string
  readonly token: string
  readonly response: Preview
}

/** Renders a request to the service with its status. */
export function RequestLine({ path, token, response: { status, request } }: RequestLineProps) {
  const headers = { Authorization: `Bearer ${token}` }
  const curl = formatCurl({ method: 'GET', url: `${baseUrl()}${path}`, headers })
  return (
    <p class="row data-request">
      <StatusTag status={status} />
      <code title={request}>{request}</code>
      <Copy text={curl} subject="the request as curl" label="Copy as curl" />
    </p>
  )
}

/** Renders the warnings of a response, and its body if it is an error. */
export function Outcome({ response: { status, body, warnings } }: { readonly response: Preview }) {
  return (
    <>
      {warnings.map((warning) => (
        <p key={warning}>
          <span class="tag warn">Sandbox-Warning</span> {warning}
        </p>
      ))}
      {status >= 300 && <ErrorBody body={body} />}
    </>
  )
}

/** Renders an error body in any of the formats that the assumptions allow. */
function ErrorBody({ body }: { readonly body: unknown }) {
  const outer = isRecord(body) ? body : {}
  const { title, detail, message, errors } = isRecord(outer['error']) ? outer['error'] : outer
  const wrong = Array.isArray(errors) ? errors.filter(isRecord) : []
  return (
    <div class="problem">
      {typeof title === 'string' && (
        <p>
          <strong>{title}</strong>
        </p>
      )}
      {wrong.length === 0 && <p>{summarize(detail ?? message ?? '')}</p>}
      {wrong.map((error) => (
        <p key={String(error['name'])}>
          {String(error['in'])} <code>{String(error['name'])}</code> {String(error['message'])}
        </p>
      ))}
      <details>
        <summary>Response body</summary>
        <Json value={body} />
      </details>
    </div>
  )
}
