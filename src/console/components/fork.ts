import type { SessionInfo } from '../../sessions/open-session.ts'
import type { Call } from '../calls.ts'
import { prepareFork } from '../client.ts'
import { session, switchSession } from '../place.ts'

interface Fork {
  readonly call: Call<SessionInfo>
  readonly done: (opened: SessionInfo) => string
}

/**
 * Prepares to copy a session with all of its state, and to switch to the copy, for an `Act`.
 * @param from the id of the session; the page's by default
 */
export const fork = (from = session.value ?? 'default', name = from, options: object = {}): Fork => ({
  call: prepareFork({ from, name: `fork of ${name}`.slice(0, 200), ...options }),
  done: ({ id }) => {
    switchSession(id)
    return `Switched to ${id}, a copy of ${name}.`
  },
})
