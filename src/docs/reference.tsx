import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'

import { isLocked } from '../console/calls.ts'
import { listAssumptions, prepare, readControlDocument, readDocument, routes } from '../console/client.ts'
import { Select, UnlockForm } from '../console/components/form.tsx'
import { Loaded, Problem } from '../console/components/ui.tsx'
import { said, useRead } from '../console/components/use-calls.ts'
import { session } from '../console/place.ts'
import { OperationSection } from './operation.tsx'
import { startSite } from './site.ts'

const isControl = document.body.dataset['reference'] === 'control'
const readReference = isControl ? readControlDocument : readDocument

function Reference() {
  const state = useRead(readReference)
  const credentials = useRead(isControl ? undefined : prepare('get', routes.credentials))
  const { value: assumptions } = useRead(isControl ? undefined : listAssumptions)
  const [token, setToken] = useState<string>()
  const organizations = credentials.value?.organizations ?? []
  const members = organizations.flatMap(({ id: organizationId, members: own }) =>
    own.map((member) => ({ organizationId, ...member })),
  )
  const caller = members.find((one) => one.token === token) ?? members[0]
  const names = members.map((one) => [one.token, `${one.name}, ${one.role} (${one.organizationId})`])
  const explain = (id: string): string => {
    const found = assumptions?.find((one) => one.id === id)
    if (!found) return `Assumption ${id}`
    const set = found.name === null ? '' : ` Set by ${found.name}, here ${JSON.stringify(found.value)}.`
    return `${id} ${found.subject}: ${found.decision}.${set}`
  }
  // The requests name the caller, so nothing moves if they wait for it.
  const isSettled = isControl || credentials.value !== undefined || credentials.error !== undefined
  const isLoaded = isSettled && state.value !== undefined
  // The browser looked for the operation in the address before it was there.
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), [isLoaded])
  return (
    <>
      <section class="row" aria-label="Caller and session">
        {!isControl && (
          <Select
            label="Call as"
            value={caller?.token ?? ''}
            set={setToken}
            options={Object.fromEntries(names)}
          />
        )}
        {isLocked.value && <UnlockForm label="Admin token" />}
        <p>{session.value === undefined ? 'The default session' : `Session ${session.value}`}</p>
        {!isControl && (
          <p>
            <span class="mark documented">documented</span> by the service,{' '}
            <span class="mark assumed">assumed</span> by the sandbox, <span class="tag odd">A-…</span> the
            assumption that decides it
          </p>
        )}
        {isLoaded && <Problem error={credentials.error} />}
      </section>
      <Loaded state={isSettled ? state : {}}>
        {(reference) =>
          Object.entries(reference.paths).flatMap(([path, methods]) =>
            Object.entries(methods).map(([method, operation]) => (
              <OperationSection
                key={operation.operationId}
                method={method.toUpperCase()}
                {...{ path, operation, reference, caller, isControl, explain }}
              />
            )),
          )
        }
      </Loaded>
      <p class="announcer" role="status">
        {said.value}
      </p>
    </>
  )
}

startSite()
const place = document.getElementById('reference')
if (place) render(<Reference />, place)
