import { effect, signal, untracked } from '@preact/signals'
import { useEffect } from 'preact/hooks'

import type { Credentials } from '../../sessions/credentials.ts'
import { read, revision } from '../calls.ts'
import { prepare, routes } from '../client.ts'
import { session } from '../place.ts'
import type { ReadState } from './use-calls.ts'

/** The key of the selected member in the session storage. */
const CHOSEN = 'workspace-sandbox member'

/** A member of the cast, with its organization. */
export interface CastMember {
  readonly organizationId: string
  readonly organizationName: string
  readonly id: number
  readonly name: string
  readonly role: string
  readonly token: string
}

/** The members of the page's session, and the one that the page acts as. */
export interface Cast {
  /** Order: as in the credentials; empty until they are known. */
  readonly organizations: Credentials['organizations']
  readonly invalidTokens: readonly string[]
  /**
   * The selected member, or the default caller; undefined until the credentials are loaded, or if there are no members.
   */
  readonly member: CastMember | undefined
  /** Selects a member by token, for this tab. */
  readonly choose: (token: string) => void
  /** The error of loading the credentials. */
  readonly error: unknown
}

const chosen = signal(sessionStorage.getItem(CHOSEN) ?? '')
const credentials = signal<ReadState<Credentials>>({ isReading: true })
let readers = 0
let stop: (() => void) | undefined

/** Loads the cast of the page's session, once for all components that show it. */
export function useCast(): Cast {
  useEffect(() => {
    readers += 1
    stop ??= effect(readCredentials)
    return () => {
      readers -= 1
      if (readers > 0) return
      stop?.()
      stop = undefined
    }
  }, [])
  const { value, error } = credentials.value
  const organizations = value?.organizations ?? []
  return {
    organizations,
    invalidTokens: value?.invalidTokens ?? [],
    member: findMember(organizations, chosen.value),
    choose,
    error,
  }
}

function choose(token: string): void {
  sessionStorage.setItem(CHOSEN, token)
  chosen.value = token
}

/** Loads the credentials whenever the session or the data changes; the old ones stay until then. */
function readCredentials(): () => void {
  const controller = new AbortController()
  void [session.value, revision.value]
  const set = (state: ReadState<Credentials>): void => {
    if (!controller.signal.aborted) credentials.value = state
  }
  // A call writes signals that this effect must not depend on.
  const loading = untracked(() => read(prepare('get', routes.credentials), controller.signal))
  loading.then(
    (value) => set({ value, isReading: false }),
    (error: unknown) => set({ error, isReading: false }),
  )
  return () => controller.abort()
}

function findMember(organizations: Credentials['organizations'], token: string): CastMember | undefined {
  let first: CastMember | undefined
  for (const { id: organizationId, name: organizationName, members } of organizations) {
    for (const member of members) {
      const found = { organizationId, organizationName, ...member }
      if (member.token === token) return found
      first ??= found
    }
  }
  return first
}
