import type { Call } from '../calls.ts'
import { prepare, prepareFault, prepareRecords, routes } from '../client.ts'
import { chooseMember, useCast } from '../components/cast.tsx'
import { parseDuration } from '../components/duration.ts'
import { useFailNext } from '../components/fail-next.tsx'
import { fork } from '../components/fork.ts'
import { useOperationIds } from '../components/schema-form.tsx'
import { toText } from '../components/schema.ts'
import { announce, type Announcement, useRead, makeChange } from '../components/use-calls.ts'
import { linkTo, show, switchSession } from '../place.ts'

export interface Action {
  readonly label: string
  readonly run: () => unknown
}

/** Lists every action of the console, including those that the text itself names. Order: the likeliest first. */
export function useActions(text: string): readonly Action[] {
  const { members } = useCast()
  const { waiting, toggle } = useFailNext()
  const sessions = useRead(prepare('get', routes.sessions)).value?.items ?? []
  const words = text.trim().toLowerCase().split(/\s+/)
  const fixed: readonly Action[] = [
    { label: waiting ? 'Do not fail the next request' : 'Fail the next request with 503', run: toggle },
    act('Slow: every request takes 2 s longer', prepareFault({ delayMs: 2_000 })),
    act('Offline: every connection is reset', prepareFault({ malfunction: 'reset' })),
    act('Remove all faults', prepare('delete', routes.faults)),
    advance('1 day', 'P1D'),
    advance('30 days', 'P30D'),
    act('Reset the clock', prepare('delete', routes.clock)),
    act('Fork this session and switch to the copy', fork().call, fork().done),
    ...['default', ...sessions.map(({ id }) => id)].map((id) => ({
      label: `Switch to session ${id}`,
      run: () => switchSession(id === 'default' ? undefined : id),
    })),
    ...Object.entries(places).map(([label, [view, ...path]]) => ({
      label: `Go to ${label}`,
      run: () => show(linkTo(view, path)),
    })),
    ...members.map(({ id, name, organizationId }) => ({
      label: `Act as ${name} (${organizationId})`,
      run: () => chooseMember(id),
    })),
    ...useOperationIds().map((operationId) =>
      act(`Fail the next ${operationId} with 503`, prepareFault({ operationId, status: 503, times: 1 })),
    ),
  ]
  const matching = fixed.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
  const by = parseDuration(text)
  const named = by === undefined ? [] : [advance(text.trim(), by)]
  const others = named.filter(({ label }) => !matching.some((one) => one.label === label))
  return [...others, ...matching, ...useFoundCustomers(text.trim())]
}

function useFoundCustomers(text: string): readonly Action[] {
  const call = prepareRecords('customers', { text, limit: '8' })
  const found = useRead(text.length > 1 ? call : undefined).value?.items ?? []
  return found.map(({ id, ...fields }) => ({
    label: `Open customer ${toText(fields['name'])} (${toText(id)})`,
    run: () => show(linkTo('data', ['customers', toText(id)])),
  }))
}

const act = <T>(label: string, call: Call<T>, done: Announcement<T> = `Done: ${label}.`): Action => ({
  label,
  run: () =>
    makeChange(call, done).catch((error: unknown) =>
      announce(error instanceof Error ? error.message : 'Something went wrong.'),
    ),
})

const advance = (text: string, by: string): Action =>
  act(`Advance the clock by ${text}`, prepare('post', routes.clock.advance, { json: { by } }))

const places = {
  Start: ['start'],
  Traffic: ['traffic'],
  Data: ['data'],
  'Data: signals': ['data', 'signals'],
  'Data: changes': ['data', 'changes'],
  People: ['people'],
  Faults: ['control', 'faults'],
  Scenarios: ['control', 'scenarios'],
  Clock: ['control', 'clock'],
  Sessions: ['control', 'sessions'],
  Assumptions: ['control', 'assumptions'],
  'Dataset: reset or reseed': ['control', 'dataset'],
} as const
