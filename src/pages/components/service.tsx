import { useState } from 'preact/hooks'

import type { Preview } from '../../lab/explain/schemas.ts'
import { read, type Call, announce, announceError } from '../calls.ts'
import { type HttpRequest, baseUrl, formatCurl } from '../client.ts'
import { requests } from '../live.ts'
import { Copy } from './copy.tsx'
import { StatusTag } from './format.tsx'
import { Tree } from './tree.tsx'
import { Button, Problem, RequestLink } from './ui.tsx'

/** Builds a request of a path below `/v1`, in the page's session. */
export const toRequest = (path: string, token: string): HttpRequest => ({
  method: 'GET',
  url: `${baseUrl()}${path}`,
  headers: { Authorization: `Bearer ${token}` },
})

/** Renders a button that sends a real request, and links to what the journal has recorded. */
export function TryIt({ path, token }: { path: string; token: string }) {
  const [{ status, error }, setState] = useState<{ readonly status?: number; readonly error?: Error }>({})
  const send = (): Promise<void> => {
    const { url, headers } = toRequest(path, token)
    return fetch(url, { headers }).then(
      (response) => setState({ status: response.status }),
      () => setState({ error: new Error('The connection broke off without a response.') }),
    )
  }
  const latest = requests.value.at(-1)
  return (
    <>
      <p class="row">
        <Button class="primary" run={send}>
          Try it
        </Button>
        {status === undefined ? (
          <span class="hint">A real request: it is recorded, and faults act on it.</span>
        ) : (
          <output>
            <StatusTag status={status} />{' '}
            {latest && <RequestLink id={latest.id}>Request {latest.id}</RequestLink>}
          </output>
        )}
      </p>
      <Problem error={error} />
    </>
  )
}

interface PreviewHeadProps {
  readonly path: string
  readonly token: string
  readonly response: Preview
}

/** Renders the request of a preview, its warnings and the problem that it is answered with. */
export function PreviewHead({ path, token, response }: PreviewHeadProps) {
  const { status, request, warnings, body } = response
  return (
    <>
      <p class="row">
        <StatusTag status={status} />
        <code title={request}>{request}</code>
        <Copy text={formatCurl(toRequest(path, token))} subject="the request as curl" label="Copy as curl" />
      </p>
      {warnings.map((warning) => (
        <p key={warning}>
          <span class="tag warn">Sandbox-Warning</span> {warning}
        </p>
      ))}
      {status >= 300 && (
        <div class="problem" role="alert">
          <Tree value={body} subject="the problem" />
        </div>
      )}
    </>
  )
}

export function Code({ text, subject }: { text: string; subject: string }) {
  return (
    <div class="code">
      <pre>{text}</pre>
      <Copy text={text} subject={subject} />
    </div>
  )
}

/** Saves a call's response as a file, since a link would lack the session and the admin token; announces how it went. */
export async function saveFile(call: Call, name: string): Promise<void> {
  try {
    const text = JSON.stringify(await read(call), undefined, 2)
    const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
    Object.assign(document.createElement('a'), { href: url, download: name }).click()
    URL.revokeObjectURL(url)
    announce(`Saved ${name}.`)
  } catch (error) {
    announceError(error)
  }
}
