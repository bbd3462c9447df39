import { effect, signal, untracked } from '@preact/signals'
import { useEffect } from 'preact/hooks'

import type { Credentials } from '../../control/credentials.ts'
import { read, revision } from '../calls.ts'
import { session } from '../place.ts'
import type { Answer } from './use-answer.ts'

/** Under which name the tab keeps who was chosen. */
const CHOSEN = 'workspace-sandbox member'

/** A member of the cast, with the organization. */
export interface CastMember {
  readonly organizationId: string
  readonly organizationName: string
  readonly id: number
  readonly name: string
  readonly role: string
  readonly token: string
}

/** Who may call the service in the page's session, and as whom the page looks at it. */
export interface Cast {
  /** Order: as in the credentials; empty until they are known. */
  readonly organizations: Credentials['organizations']
  readonly invalidTokens: readonly string[]
  /** Who was chosen, else the default caller; undefined until the credentials are known, or where nobody is. */
  readonly member: CastMember | undefined
  /** Chooses by token, for this tab. */
  readonly choose: (token: string) => void
  /** Why the credentials are not known. */
  readonly error: unknown
}

const chosen = signal(sessionStorage.getItem(CHOSEN) ?? '')
const credentials = signal<Answer<Credentials>>({ isReading: true })
let readers = 0
let stop: (() => void) | undefined

/** The cast of the page's session; read once however many parts show it. */
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
    member: memberOf(organizations, chosen.value),
    choose,
    error,
  }
}

function choose(token: string): void {
  sessionStorage.setItem(CHOSEN, token)
  chosen.value = token
}

/** Reads the credentials, anew whenever the session or the data changes; those before stay until then. */
function readCredentials(): () => void {
  const over = new AbortController()
  void [session.value, revision.value]
  const set = (answer: Answer<Credentials>): void => {
    if (!over.signal.aborted) credentials.value = answer
  }
  // A call notes itself in signals, which this must not follow.
  const asked = untracked(() => read<Credentials>('/_sandbox/credentials', over.signal))
  asked.then(
    (value) => set({ value, isReading: false }),
    (error: unknown) => set({ error, isReading: false }),
  )
  return () => over.abort()
}

function memberOf(organizations: Credentials['organizations'], token: string): CastMember | undefined {
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
