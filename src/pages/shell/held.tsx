import type { HeldRequest } from '../../testing/faults/gates.ts'
import { prepare, routes } from '../client.ts'
import { Act } from '../components/ui.tsx'
import { useRead } from '../components/use-calls.ts'
import { journalRevision } from './overview.ts'

/** Lists the requests that gates hold. Order: as they arrived. */
export const useHeld = (): readonly HeldRequest[] =>
  useRead(prepare('get', routes.gates), journalRevision.value).value?.items ?? []

/** Renders buttons that release a held request, to the service or with a status; nothing if no gate holds it. */
export function Release({ requestId }: { requestId: number }) {
  const held = useHeld().find((one) => one.requestId === requestId)
  if (!held) return null
  return [undefined, 503].map((status) => (
    <Act
      key={status}
      aria-label={`Release${status === undefined ? '' : ` with ${status}`}: request ${requestId}`}
      call={prepare('post', routes.gates[':id'].release, {
        param: { id: held.id },
        json: status === undefined ? {} : { status },
      })}
      done={`Released request ${requestId}.`}
    >
      {status === undefined ? 'Release' : `with ${status}`}
    </Act>
  ))
}
