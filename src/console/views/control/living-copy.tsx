import type { SessionInfo } from '../../../sessions/open-session.ts'
import { castBody, prepare, routes } from '../../client.ts'
import { Problem } from '../../components/problem.tsx'
import { useChange } from '../../components/use-calls.ts'
import { linkTo, session, switchSession } from '../../place.ts'

/** Says that the session's data stands still, and offers a copy of the session whose data lives. */
export function LivingCopy() {
  const { make, isBusy, error } = useChange()
  const open = async (): Promise<void> => {
    const json = castBody({ from: session.peek() ?? 'default', future: 'living' })
    await make<SessionInfo>(prepare('post', routes.sessions, { json }), ({ id }) => {
      switchSession(id)
      return `Opened ${id}, a living copy, and switched to it.`
    })
  }
  return (
    <>
      <p class="hint">
        The data of this session stands still, so nothing happens on any day. Let a copy of the session live
        to see the data change as time passes, or <a href={linkTo('control', ['dataset'])}>reseed</a> the
        whole tenant with <code>future</code> set to <code>living</code>.
      </p>
      <p>
        <button type="button" disabled={isBusy} onClick={() => void open()}>
          Open a living copy
        </button>
      </p>
      <Problem error={error} />
    </>
  )
}
