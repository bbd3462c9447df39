import type { Call } from '../calls.ts'
import { fork, advanceClock, prepare, prepareFault, readDocument, routes } from '../client.ts'
import { chooseMember, useCast } from '../components/cast.tsx'
import { parseDuration } from '../components/duration.ts'
import { useFailNext } from '../components/fail-next.tsx'
import { useOperationIds } from '../components/schema-form.tsx'
import { listValues } from '../components/schema.ts'
import { statusClasses } from '../components/status.tsx'
import { announce, type Announcement, useRead, makeChange } from '../components/use-calls.ts'
import { requests } from '../live.ts'
import { linkTo, show, switchSession } from '../place.ts'
import { listOperations } from '../views/data/contract.ts'
import { pluralize, singularize } from '../views/data/labels.ts'

export interface Action {
  readonly label: string
  readonly run: () => unknown
}

/** Lists every action of the console, including those that the text itself names. Order: the likeliest first. */
export function useActions(text: string): readonly Action[] {
  const { members } = useCast()
  const { waiting, toggle } = useFailNext()
  const sessions = useRead(prepare('get', routes.sessions)).value?.items ?? []
  const docs = { label: 'Open the docs', run: () => location.assign('/_sandbox/docs/') }
  const words = text.trim().toLowerCase().split(/\s+/)
  const fixed: readonly Action[] = [
    { label: waiting ? 'Do not fail the next request' : 'Fail the next request with 503', run: toggle },
    act('Slow: every request takes 2 s longer', prepareFault({ delayMs: 2_000 })),
    act('Offline: every connection is reset', prepareFault({ reset: true })),
    act('Release the held requests', prepare('post', routes.gates.release, { json: {} })),
    act(
      'Release the held requests with 503',
      prepare('post', routes.gates.release, { json: { status: 503 } }),
    ),
    act('Remove all faults', prepare('delete', routes.faults)),
    advance('1 day', 'P1D'),
    advance('30 days', 'P30D'),
    act('Reset the clock', prepare('delete', routes.clock)),
    act('Fork this session and switch to the copy', fork().call, fork().done),
    ...['default', ...sessions.map(({ id }) => id)].map((id) => ({
      label: `Switch to session ${id}`,
      run: () => switchSession(id === 'default' ? undefined : id),
    })),
    docs,
    ...Object.entries(places).map(([label, [view, ...path]]) => go(`Go to ${label}`, view, path)),
    ...members.map(({ id, name, organizationId }) => ({
      label: `Act as ${name} (${organizationId})`,
      run: () => chooseMember(id),
    })),
    ...useOperationIds().map((operationId) =>
      act(`Fail the next ${operationId} with 503`, prepareFault({ operationId, status: 503, times: 1 })),
    ),
    ...useNamed(words),
  ]
  const matching = fixed.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
  const by = parseDuration(text)
  const number = words.find((word) => /^\d+$/.test(word))
  const found = useFound(text.trim(), number)
  const named = by === undefined ? [] : [advance(text.trim(), by)]
  const others = named.filter(({ label }) => !matching.some((one) => one.label === label))
  // A number most likely is the id of a record.
  return number === undefined ? [...others, ...matching, ...found] : [...others, ...found, ...matching]
}

/** Lists what the words of a text name: a record or request by its id, a status, or a parameter of a list. */
function useNamed(words: readonly string[]): readonly Action[] {
  const document = useRead(readDocument).value
  const names = useRead(prepare('get', routes.data, { query: {} })).value?.items.map(({ name }) => name) ?? []
  const id = words.find((word) => word !== '' && Number.isSafeInteger(Number(word)))
  const status = words.find((word) => Number(word) >= 400 && Number(word) < 600 && word !== '503')
  const statuses = new Set([...requests.value.map((one) => `${one.status}`), ...statusClasses])
  const operations = document ? listOperations(document, names) : []
  return [
    ...(status === undefined
      ? []
      : [act(`Fail the next request with ${status}`, prepareFault({ status: Number(status), times: 1 }))]),
    ...Array.from(statuses, (one) => go(`Show requests with status ${one}`, 'traffic', [], { status: one })),
    ...(id === undefined ? [] : [go(`Open request ${id}`, 'traffic', [id])]),
    ...operations.flatMap(({ collection, parameters }) =>
      parameters.flatMap(({ name, schema }) => [
        go(`Filter ${pluralize(collection)} by ${name}`, 'data', [collection], { filter: name }),
        ...listValues(schema).map((value) =>
          go(`Filter ${pluralize(collection)} by ${name}: ${value}`, 'data', [collection], { [name]: value }),
        ),
      ]),
    ),
  ]
}

/** Finds records by the words of a text: by the id among them, or by their name. */
function useFound(text: string, id: string | undefined): readonly Action[] {
  const query = { q: id ?? text, limit: '20' }
  const found = useRead(text === '' ? undefined : prepare('get', routes.find, { query })).value?.items ?? []
  const words = text.toLowerCase().split(/\s+/)
  const actions = found.map(({ collection, id: own, name }) =>
    go(`Open ${singularize(collection)} ${name} (${own})`, 'data', [collection, `${own}`]),
  )
  return actions.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
}

const go = (label: string, ...to: Parameters<typeof linkTo>): Action => ({
  label,
  run: () => show(linkTo(...to)),
})

const act = <T>(label: string, call: Call<T>, done: Announcement<T> = `Done: ${label}.`): Action => ({
  label,
  run: () =>
    makeChange(call, done).catch((error: unknown) =>
      announce(error instanceof Error ? error.message : 'Something went wrong.'),
    ),
})

const advance = (text: string, by: string): Action => act(`Advance the clock by ${text}`, advanceClock(by))

const places = {
  Start: ['start'],
  Traffic: ['traffic'],
  Data: ['data'],
  'Data: signals': ['data', 'signals'],
  'Data: changes': ['data', 'changes'],
  Faults: ['control', 'faults'],
  Scenarios: ['control', 'scenarios'],
  Clock: ['control', 'clock'],
  Sessions: ['control', 'sessions'],
  Assumptions: ['control', 'assumptions'],
  'Dataset: reset or reseed': ['control', 'dataset'],
} as const
