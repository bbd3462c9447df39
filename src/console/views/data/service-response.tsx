import type { Preview } from '../../../explain/preview.ts'
import { Copy } from '../../components/code.tsx'
import { Json } from '../../components/json.tsx'
import { StatusTag } from '../../components/status.tsx'
import { baseUrl, formatCurl } from '../../curl.ts'

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
      {status >= 300 && (
        <div class="problem" role="alert">
          <Json value={body} openDepth={3} />
        </div>
      )}
    </>
  )
}
