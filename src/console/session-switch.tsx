import { Refusal } from './calls.ts'
import { useAnswer } from './parts/use-answer.ts'
import { session, turnTo } from './place.ts'

/** A session as it is listed. */
export interface ListedSession {
  readonly id: string
  readonly name?: string
  readonly baseUrl: string
  readonly now: string
}

/** Which session the page shows and steers. */
export function SessionSwitch() {
  const { value, error } = useAnswer<{ readonly items: readonly ListedSession[] }>({
    path: '/_sandbox/sessions',
  })
  const current = session.value ?? ''
  const known = value?.items ?? []
  const isGone = error instanceof Refusal && error.status === 404
  const isListed = current === '' || known.some(({ id }) => id === current)
  return (
    <p class="session-switch">
      <label>
        <span>Session</span>{' '}
        <select value={current} onChange={({ currentTarget }) => turnTo(currentTarget.value || undefined)}>
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
