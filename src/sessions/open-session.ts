import * as z from 'zod'

import { toSortable, utcDateTime } from '../contract/fields.ts'
import { PartialSettings } from '../contract/settings.ts'
import { SandboxError } from '../core/errors.ts'
import type { Input } from '../core/input.ts'
import { isObject } from '../core/json.ts'
import { lazyObject, lazyStrictObject } from '../core/lazy-schema.ts'
import { didYouMean } from '../core/nearest.ts'
import { FutureMode } from '../store/dataset-key.ts'
import { type FaultSettings, FaultsInput } from '../testing/faults/fault.ts'
import type { SandboxState } from './sandbox-state.ts'
import type { Session } from './session.ts'

const DEFAULT = 'default'

const MAX_ID_LENGTH = 64

export const SessionName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'must be 1 to 64 letters, digits, dots, dashes or underscores, a letter or digit first',
  )

export const SessionId = SessionName.refine(
  (id) => id !== DEFAULT,
  `must not be ${DEFAULT}, the name of the default session`,
)

export const SessionInput = lazyStrictObject(() => ({
  id: SessionId.optional().describe(
    'The id, which is part of the base URL. Default: a generated one. Example: `checkout-test`.',
  ),
  name: z
    .string()
    .regex(/^.{1,200}$/su, 'must have 1 to 200 characters')
    .optional()
    .describe('A name for people, shown in the console. Default: none. Example: `Checkout, happy path`.'),
  now: utcDateTime
    .optional()
    .describe('The time of the session’s clock. Default: that of the dataset. Example: `2026-03-01T09:00Z`.'),
  future: FutureMode.optional().describe(
    'Whether the data changes as the time of the session passes. Default: as in the dataset. Example: `living`.',
  ),
  from: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The id of a session whose changes, clock, faults, scenarios and assumptions are copied; `default` is the default session. Default: none, so that the session starts from the dataset. Example: `template`.',
    ),
  assumptions: PartialSettings.optional().describe(
    'Overrides of assumptions, by name. Default: those of the server. Example: `{ "team": "branch" }`.',
  ),
  faults: FaultsInput.optional().describe(
    'A fault or a list of faults that are active from the start. Default: none. Example: `{ "profile": "flaky" }`.',
  ),
}))

/** The options of a new session. */
export interface SessionInput extends Input<typeof SessionInput> {}

type SessionSettings = z.output<typeof SessionInput>

type Opened = Pick<SandboxState, 'sessions' | 'defaultSession'>

export const SessionInfo = lazyObject(() => ({
  id: z.string(),
  name: z.string().optional(),
  baseUrl: z.string(),
  now: utcDateTime,
  /** Present if the data changes as the session's time passes. */
  future: z.literal('living').optional(),
}))
export type SessionInfo = z.infer<typeof SessionInfo>

/** Finds a session by its id; `default` is that of the default one. Errors: 404. */
export function findSession(
  { sessions, defaultSession }: Opened,
  id: string,
  suggestsOthers = true,
): Session {
  const session = id === DEFAULT ? defaultSession : sessions.find(id)
  if (session) return session
  if (sessions.hasExpired(id)) {
    const fact = 'it was idle for too long, or was evicted to free memory'
    throw new SandboxError('not_found', `Session ${id} has expired: ${fact}. Open a new one.`)
  }
  const shown = id === '' ? 'without an id' : id.slice(0, MAX_ID_LENGTH)
  const ids = suggestsOthers ? sessions.list().flatMap((other) => other.id ?? []) : []
  const hint =
    ids.length > 0
      ? didYouMean(shown, ids.slice(-20))
      : 'POST /_sandbox/sessions opens a session, and GET lists the open ones.'
  throw new SandboxError('not_found', `There is no session ${shown}. ${hint}`)
}

/** @throws SandboxError `not_found` if `from` does not exist; those of `Sessions.open` */
export function openSession(sandbox: Opened, input: SessionSettings): Session {
  const { sessions } = sandbox
  const { id, name, now, future, from, assumptions = {} } = input
  const faults = listFaults(input)
  const origin = findSession(sandbox, from ?? DEFAULT)
  const session = sessions.open(id)
  session.name = name
  session.openedWith = toTexts(input)
  if (from !== undefined) session.restore(origin.snapshot())
  session.assume(assumptions)
  try {
    if (future !== undefined) session.clock.setFuture(future)
    session.first = { settings: session.settings, future: session.clock.snapshot().future }
    if (future === 'still' && origin.clock.future === 'living') session.data.settle()
    if (now !== undefined) {
      session.clock.state = session.clock.stateAt(now)
      session.begin()
    }
    if (faults.length > 0) session.faults.append(faults)
  } catch (error) {
    sessions.delete(session.id ?? '')
    throw error
  }
  // Measures the memory of the new session.
  sessions.hold(session)()
  return session
}

export function ensureSession(
  sandbox: Opened,
  input: SessionSettings & { readonly id: string },
): { readonly session: Session; readonly isNew: boolean } {
  const session = input.id === DEFAULT ? sandbox.defaultSession : sandbox.sessions.find(input.id)
  if (!session) return { session: openSession(sandbox, input), isNew: true }
  const { openedWith = {} } = session
  const others = Object.entries(toTexts(input)).flatMap(([name, text]) =>
    text === openedWith[name] ? [] : [name],
  )
  if (others.length === 0) return { session, isNew: false }
  const names = others.join(', ')
  const calls = others.flatMap((name) => callsByOption.get(name) ?? [])
  const instead = calls.length === 0 ? '' : `, call ${calls.join(', ')} in their place`
  const reason =
    session.id === undefined
      ? `it is there from the start, and takes no ${names}. Leave the options out${instead}, or choose another id.`
      : `it was opened with another value of ${names}. Leave the options out to get it as it is, or delete it first.`
  throw new SandboxError('conflict', `Cannot return session ${input.id}: ${reason}`)
}

/** The calls that do in a session what its options do when it is opened. */
const callsByOption = new Map([
  ['now', 'PUT /_sandbox/clock'],
  ['future', 'POST /_sandbox/reseed'],
  ['from', 'PUT /_sandbox/state'],
  ['assumptions', 'PATCH /_sandbox/assumptions'],
  ['faults', 'POST /_sandbox/faults'],
])

const listFaults = ({ faults = [] }: SessionSettings): readonly FaultSettings[] => [faults].flat()

function toTexts(input: SessionSettings): Record<string, string> {
  const { id: _, ...options } = input
  const now = input.now === undefined ? undefined : toSortable(input.now)
  const values = { ...options, now, faults: listFaults(input) }
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const text = JSON.stringify(value, sortFields) ?? '{}'
      return text === '{}' || text === '[]' ? [] : [[name, text]]
    }),
  )
}

const sortFields = (_: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value
