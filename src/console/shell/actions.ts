import { type Call, change } from '../calls.ts'
import { prepare, prepareFault, readDocument, routes } from '../client.ts'
import { announce } from '../components/announcer.tsx'
import { chooseMember, useCast } from '../components/cast.tsx'
import { parseDuration } from '../components/duration.ts'
import { useFailNext } from '../components/fail-next.tsx'
import { toText } from '../components/schema.ts'
import { useRead } from '../components/use-calls.ts'
import { linkTo, show, switchSession } from '../place.ts'
import { useFork } from './header.tsx'

/** An action of the palette. */
export interface Action {
  readonly label: string
  readonly run: () => unknown
}

/** The number of customers to find. */
const FOUND = 8

/** Lists every action of the console, including those that the text itself names. Order: the likeliest first. */
export function useActions(text: string): readonly Action[] {
  const { members } = useCast()
  const { waiting, toggle } = useFailNext()
  const { fork } = useFork()
  const sessions = useRead(prepare('get', routes.sessions)).value?.items ?? []
  const words = text.trim().toLowerCase().split(/\s+/)
  const fixed: readonly Action[] = [
    { label: waiting ? 'Do not fail the next request' : 'Fail the next request with 503', run: toggle },
    ...faultActions,
    ...clockActions,
    { label: 'Fork this session and switch to the copy', run: fork },
    ...['default', ...sessions.map(({ id }) => id)].map((id) => ({
      label: `Switch to session ${id}`,
      run: () => switchSession(id === 'default' ? undefined : id),
    })),
    ...Object.entries(places).map(([label, to]) => ({ label: `Go to ${label}`, run: () => show(to()) })),
    ...members.map(({ id, name, organizationId }) => ({
      label: `Act as ${name} (${organizationId})`,
      run: () => chooseMember(id),
    })),
    ...useOperationFaults(),
  ]
  const matching = fixed.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
  const named = useNamedActions(text).filter(({ label }) => !matching.some((one) => one.label === label))
  return [...named, ...matching, ...useFoundCustomers(text)]
}

/** Lists an action for each operation that makes its next request fail. */
function useOperationFaults(): readonly Action[] {
  const { value } = useRead(readDocument)
  const operations = Object.values(value?.paths ?? {}).flatMap((methods) => Object.values(methods))
  return operations.map(({ operationId }) => ({
    label: `Fail the next ${operationId} with 503`,
    run: () => addFault({ operationId, status: 503, times: 1 }, `The next ${operationId} fails with 503.`),
  }))
}

/** Lists the actions that a text names: a duration. */
function useNamedActions(text: string): readonly Action[] {
  const by = parseDuration(text)
  return by === undefined ? [] : [{ label: `Advance the clock by ${text.trim()}`, run: () => advance(by) }]
}

/** Finds customers by name. */
function useFoundCustomers(text: string): readonly Action[] {
  const query = { text: text.trim(), limit: `${FOUND}` }
  const call = prepare('get', routes.data[':collection'], { param: { collection: 'customers' }, query })
  const found = useRead(text.trim().length > 1 ? call : undefined).value?.items ?? []
  return found.map(({ id, ...fields }) => ({
    label: `Open customer ${toText(fields['name'])} (${toText(id)})`,
    run: () => show(linkTo('data', ['customers', toText(id)])),
  }))
}

/** Makes a change and announces it, or its error. */
async function make(call: Call, done: string): Promise<void> {
  try {
    await change(call)
    announce(done)
  } catch (error) {
    announce(error instanceof Error ? error.message : 'Something went wrong.')
  }
}

const advance = (by: string): Promise<void> =>
  make(prepare('post', routes.clock.advance, { json: { by } }), `Advanced the clock by ${by}.`)

const addFault = (fault: object, done: string): Promise<void> => make(prepareFault(fault), done)

const faultActions: readonly Action[] = [
  {
    label: 'Slow: every request takes 2 s longer',
    run: () => addFault({ delayMs: 2_000 }, 'Every request takes 2 s longer.'),
  },
  {
    label: 'Offline: every connection is reset',
    run: () => addFault({ malfunction: 'reset' }, 'Every connection is reset.'),
  },
  { label: 'Remove all faults', run: () => make(prepare('delete', routes.faults), 'Removed all faults.') },
]

const clockActions: readonly Action[] = [
  { label: 'Advance the clock by 1 day', run: () => advance('P1D') },
  { label: 'Advance the clock by 30 days', run: () => advance('P30D') },
  { label: 'Reset the clock', run: () => make(prepare('delete', routes.clock), 'Reset the clock.') },
]

const places: Readonly<Record<string, () => string>> = {
  Start: () => linkTo('start'),
  Traffic: () => linkTo('traffic'),
  Data: () => linkTo('data'),
  'Data: signals': () => linkTo('data', ['signals']),
  'Data: changes': () => linkTo('data', ['changes']),
  People: () => linkTo('people'),
  Faults: () => linkTo('control', ['faults']),
  Scenarios: () => linkTo('control', ['scenarios']),
  Clock: () => linkTo('control', ['clock']),
  Sessions: () => linkTo('control', ['sessions']),
  Assumptions: () => linkTo('control', ['assumptions']),
  'Dataset: reset or reseed': () => linkTo('control', ['dataset']),
}
