import type { ComponentChildren } from 'preact'

import type { Preview } from '../../../control/preview.ts'
import { Copy } from '../../parts/copy.tsx'
import { Json } from '../../parts/json.tsx'
import { StatusTag } from '../../parts/status-tag.tsx'
import { type Asked, serviceCurl } from './use-service.ts'
import { isRecord, textOf } from './words.ts'

export interface AnsweredProps {
  readonly asked: Asked
  readonly answer: Preview
  /** What stands beside the status. */
  readonly beside?: ComponentChildren
  /** What is shown of an answer that is no refusal. */
  readonly children: ComponentChildren
}

/** A request to the service, how it was answered, and why it was refused. */
export function Answered({ asked, answer, beside, children }: AnsweredProps) {
  const { status, request, body, warnings } = answer
  return (
    <>
      <div class="data-request">
        <StatusTag status={status} />
        <code>{request}</code>
        <Copy text={serviceCurl(asked)} what="the request as curl" label="Copy as curl" />
        {beside}
      </div>
      {warnings.map((warning) => (
        <p key={warning} class="data-warning">
          <span class="tag warn">Sandbox-Warning</span> {warning}
        </p>
      ))}
      {status < 300 ? children : <Refused body={body} />}
    </>
  )
}

/** A refusal in whichever form the session's assumptions give it. */
function Refused({ body }: { readonly body: unknown }) {
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
        <p>{textOf(detail ?? message ?? '')}</p>
      )}
      <details>
        <summary>The body of the answer</summary>
        <Json value={body} />
      </details>
    </div>
  )
}

/** What is wrong with a request, by parameter. */
export function errorsOf(answer: Preview | undefined) {
  const errors: unknown = isRecord(answer?.body) ? answer.body['errors'] : undefined
  const found = Array.isArray(errors) ? errors.filter(isRecord) : []
  return found.map((error) => ({
    in: String(error['in']),
    name: String(error['name']),
    message: String(error['message']),
  }))
}
