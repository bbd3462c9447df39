import type { ComponentChildren } from 'preact'

import type { Preview } from '../../lab/explain/schemas.ts'
import { read, type Call, announce, announceError, useRead } from '../calls.ts'
import { type HttpRequest, baseUrl, formatCurl, prepare, routes } from '../client.ts'
import { param } from '../place.ts'
import { Copy } from './copy.tsx'
import { ParamField } from './form.tsx'
import { StatusTag } from './format.tsx'
import { Tree } from './tree.tsx'
import { Folded } from './ui.tsx'

export type CastMember = ReturnType<typeof useCast>['members'][number]

/** Reads the members; `member` is the one in the URL, or the default caller. Order: as in the credentials. */
export function useCast() {
  const { value, error } = useRead(prepare('get', routes.credentials))
  const { organizations = [], invalidTokens = [] } = value ?? {}
  const members = organizations.flatMap(({ id: organizationId, name: organizationName, members: own }) =>
    own.map((member) => ({ organizationId, organizationName, ...member })),
  )
  const member = members.find(({ id }) => `${id}` === param('member')) ?? members[0]
  return { members, invalidTokens, member, error }
}

export function MemberSelect({ label, chosen }: { label: string; chosen?: number | undefined }) {
  const { members, member } = useCast()
  const options = members.map(({ id, name, organizationId }) => [id, `${name} (${organizationId})`])
  const value = `${chosen ?? member?.id ?? ''}`
  return <ParamField name="member" {...{ label, value }} options={Object.fromEntries(options)} />
}

export const toRequest = (path: string, token: string): HttpRequest => ({
  method: 'GET',
  url: `${baseUrl()}${path}`,
  headers: { Authorization: `Bearer ${token}` },
})

interface PreviewedProps {
  readonly path: string
  readonly token: string
  readonly response: Preview
  readonly collection: string
  readonly children: ComponentChildren
}

/** Renders a preview: its request, warnings and problem, what the view makes of its body, and that as JSON. */
export function Previewed({ path, token, response, collection, children }: PreviewedProps) {
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
      {children}
      <Folded title="JSON">
        {() => <Tree value={body} subject="the response" collection={collection} />}
      </Folded>
    </>
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
