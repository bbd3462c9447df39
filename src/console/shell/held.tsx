import type { HeldRequest } from '../../faults/gates.ts'
import { prepare, routes } from '../client.ts'
import { Act } from '../components/ui.tsx'
import { useRead } from '../components/use-calls.ts'
import { journalRevision } from './overview.ts'

/** Lists the requests that gates hold. Order: as they arrived. */
export const useHeld = (): readonly HeldRequest[] =>
  useRead(prepare('get', routes.gates), journalRevision.value).value?.items ?? []

interface ReleaseProps {
  readonly requestId: number
  /** The status to respond with; the request goes on to the service by default. */
  readonly status?: number
}

/** Renders a button that releases a held request; nothing if no gate holds it. */
export function Release({ requestId, status }: ReleaseProps) {
  const held = useHeld().find((one) => one.requestId === requestId)
  if (!held) return null
  const verb = status === undefined ? 'Release' : `Release with ${status}`
  const json = status === undefined ? {} : { status }
  return (
    <Act
      aria-label={`${verb}: request ${requestId}`}
      call={prepare('post', routes.gates[':id'].release, { param: { id: held.id }, json })}
      done={`Released request ${requestId}.`}
    >
      {verb}
    </Act>
  )
}
