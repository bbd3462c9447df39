import { useState } from 'preact/hooks'

import { baseUrl } from '../curl.ts'
import { requests } from '../live.ts'
import { linkTo } from '../place.ts'
import { Problem } from './problem.tsx'
import { Body, type ServiceResponse, sendToService } from './response.tsx'
import { StatusTag } from './status.tsx'

interface TryItProps {
  readonly label: string
  /** The path after the base URL. */
  readonly path: string
  readonly token: string
}

/** Renders a button that sends a request, and shows the response. */
export function TryIt({ label, path, token }: TryItProps) {
  const [response, setResponse] = useState<ServiceResponse>()
  const [error, setError] = useState<Error>()
  const send = async (): Promise<void> => {
    const headers = { Authorization: `Bearer ${token}` }
    try {
      setResponse(await sendToService({ method: 'GET', url: `${baseUrl()}${path}`, headers }))
      setError(undefined)
    } catch {
      setResponse(undefined)
      setError(new Error('The connection broke off without a response.'))
    }
  }
  const latest = requests.value.at(-1)
  return (
    <div class="try-it">
      <p class="row">
        <button type="button" class="primary" onClick={() => void send()}>
          {label}
        </button>
        <span class="hint">A real request: it is recorded, and faults act on it.</span>
      </p>
      <Problem error={error} />
      {response && (
        <section aria-label="Response">
          <p class="row">
            <StatusTag status={response.status} />
            {latest && <a href={linkTo('traffic', [`${latest.id}`])}>Request {latest.id}</a>}
          </p>
          <Body text={response.text} />
        </section>
      )}
    </div>
  )
}
