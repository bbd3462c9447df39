import { RequestError } from './calls.ts'
import { prepare, routes } from './client.ts'
import { useRead } from './components/use-calls.ts'
import { session, switchSession } from './place.ts'

/** Selects the session that the page shows and controls. */
export function SessionSwitch() {
  const { value, error } = useRead(prepare('get', routes.sessions))
  const current = session.value ?? ''
  const known = value?.items ?? []
  const isGone = error instanceof RequestError && error.status === 404
  const isListed = current === '' || known.some(({ id }) => id === current)
  return (
    <p class="session-switch">
      <label>
        <span>Session</span>{' '}
        <select
          value={current}
          onChange={({ currentTarget }) => switchSession(currentTarget.value || undefined)}
        >
          <option value="">default</option>
          {!isListed && <option value={current}>{isGone ? `${current} (gone)` : current}</option>}
          {known.map(({ id, name }) => (
            <option key={id} value={id}>
              {name === undefined ? id : `${name} (${id})`}
            </option>
          ))}
        </select>
      </label>
    </p>
  )
}
