import type { ComponentChildren } from 'preact'

import type { Preview } from '../../../explain/preview.ts'
import { prepare, routes } from '../../client.ts'
import type { CastMember } from '../../components/cast.ts'
import { Copy } from '../../components/code.tsx'
import { Json } from '../../components/json.tsx'
import { StatusTag } from '../../components/status.tsx'
import { type ReadState, useRead } from '../../components/use-calls.ts'
import { baseUrl, formatCurl } from '../../curl.ts'
import { type AnyRecord, isRecord, toText } from './labels.ts'

export interface ServiceResponseProps {
  readonly request: ServiceRequest
  readonly response: Preview
  /** Content beside the status. */
  readonly controls?: ComponentChildren
  /** The content of a successful response. */
  readonly children: ComponentChildren
}

/** Renders a request to the service and its response or error. */
export function ServiceResponse({ request, response, controls, children }: ServiceResponseProps) {
  const { status, body, warnings } = response
  return (
    <>
      <div class="data-request">
        <StatusTag status={status} />
        <code>{response.request}</code>
        <Copy text={formatServiceCurl(request)} subject="the request as curl" label="Copy as curl" />
        {controls}
      </div>
      {warnings.map((warning) => (
        <p key={warning} class="data-warning">
          <span class="tag warn">Sandbox-Warning</span> {warning}
        </p>
      ))}
      {status < 300 ? children : <ErrorBody body={body} />}
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
      {wrong.length > 0 ? (
        <ul>
          {wrong.map((error) => (
            <li key={String(error['name'])}>
              {String(error['in'])} <code>{String(error['name'])}</code>: {String(error['message'])}
            </li>
          ))}
        </ul>
      ) : (
        <p>{toText(detail ?? message ?? '')}</p>
      )}
      <details>
        <summary>Response body</summary>
        <Json value={body} />
      </details>
    </div>
  )
}

/** Lists the validation errors of a response. */
export function listParameterErrors(response: Preview | undefined) {
  const errors: unknown = isRecord(response?.body) ? response.body['errors'] : undefined
  const found = Array.isArray(errors) ? errors.filter(isRecord) : []
  return found.map((error) => ({
    in: String(error['in']),
    name: String(error['name']),
    message: String(error['message']),
  }))
}

/** A request to preview. */
export interface ServiceRequest {
  /** The path with its query, relative to the base URL. */
  readonly path: string
  readonly token: string
}

/**
 * Previews the service's response, and reloads it when the data changes.
 * @param path undefined to read nothing
 */
export function usePreview(path: string | undefined, member: CastMember | undefined): ReadState<Preview> {
  const json = path !== undefined && member && { path, token: member.token }
  return useRead(json ? prepare('post', routes.preview, { json }) : undefined)
}

/** Formats a request to the service as curl. */
function formatServiceCurl({ path, token }: ServiceRequest): string {
  return formatCurl({
    method: 'GET',
    url: `${baseUrl()}${path}`,
    headers: { Authorization: `Bearer ${token}` },
  })
}

/** Extracts the records and the total from a list response; undefined for other bodies. */
export function parseList(
  body: unknown,
): { readonly items: readonly AnyRecord[]; readonly total: number } | undefined {
  const items: unknown = isRecord(body) ? body['items'] : body
  if (!Array.isArray(items)) return undefined
  const total = isRecord(body) ? Number(body['totalCount']) : items.length
  return { items: items.filter(isRecord), total }
}
