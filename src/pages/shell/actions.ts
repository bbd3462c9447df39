import type { Call } from '../calls.ts'
import { fork, advanceClock, prepare, prepareFault, routes } from '../client.ts'
import { chooseMember, useCast } from '../components/cast.tsx'
import { parseDuration } from '../components/duration.ts'
import { useOperationIds } from '../components/form.tsx'
import { listValues } from '../components/schema.ts'
import { statusClasses } from '../components/status.tsx'
import { announce, type Announcement, useRead, makeChange } from '../components/use-calls.ts'
import { linkTo, show, switchSession } from '../place.ts'
import { useOperations } from '../views/data/contract.ts'
import { pluralize, singularize } from '../views/data/labels.ts'

export interface Action {
  readonly label: string
  readonly run: () => unknown
}

/** Lists every action of the console, including those that the text itself names. Order: the likeliest first. */
export function useActions(text: string): readonly Action[] {
  const { members } = useCast()
  const sessions = useRead(prepare('get', routes.sessions)).value?.items ?? []
  const words = text.trim().toLowerCase().split(/\s+/)
  const number = words.find((word) => /^\d+$/.test(word))
  const status = Number(number) >= 400 && Number(number) < 600 ? Number(number) : 503
  const all: readonly Action[] = [
    fail(`Fail the next request with ${status}`, { status, times: 1 }),
    ...useOperationIds().map((operationId) =>
      fail(`Fail the next ${operationId} with ${status}`, { operationId, status, times: 1 }),
    ),
    fail('Slow: every request takes 2 s longer', { delayMs: 2_000 }),
    fail('Offline: every connection is reset', { reset: true }),
    act('Release the held requests', prepare('post', routes.gates.release, { json: {} })),
    act('Remove all faults', prepare('delete', routes.faults)),
    ...[text.trim(), '1 day', '30 days'].flatMap((by) => {
      const duration = parseDuration(by)
      return duration === undefined ? [] : act(`Advance the clock by ${by}`, advanceClock(duration))
    }),
    act('Reset the clock', prepare('delete', routes.clock)),
    act('Fork this session and switch to the copy', fork().call, fork().done),
    ...['default', ...sessions.map(({ id }) => id)].map((id) => ({
      label: `Switch to session ${id}`,
      run: () => switchSession(id === 'default' ? undefined : id),
    })),
    { label: 'Open the docs', run: () => location.assign('/_sandbox/docs/') },
    ...places.map(([view, page]) => go(`Go to ${page ?? view}`, view, page)),
    ...members.map(({ id, name, organizationId }) => ({
      label: `Act as ${name} (${organizationId})`,
      run: () => chooseMember(id),
    })),
    ...[...(number === undefined ? [] : [number]), ...statusClasses].map((one) =>
      go(`Show requests with status ${one}`, 'traffic', undefined, { status: one }),
    ),
    ...(number === undefined ? [] : [go(`Open request ${number}`, 'traffic', number)]),
    ...useOperations().flatMap(({ collection, parameters }) =>
      parameters.flatMap(({ name, schema }) => [
        go(`Filter ${pluralize(collection)} by ${name}`, 'data', collection, { filter: name }),
        ...listValues(schema).map((value) =>
          go(`Filter ${pluralize(collection)} by ${name}: ${value}`, 'data', collection, { [name]: value }),
        ),
      ]),
    ),
  ]
  const query = { q: number ?? text.trim(), limit: '20' }
  const found = useRead(text.trim() === '' ? undefined : prepare('get', routes.find, { query })).value?.items
  const records = (found ?? []).map(({ collection, id, name }) =>
    go(`Open ${singularize(collection)} ${name} (${id})`, 'data', `${collection}/${id}`),
  )
  const isMeant = ({ label }: Action): boolean => words.every((word) => label.toLowerCase().includes(word))
  // A number most likely is the id of a record.
  return (number === undefined ? [...all, ...records] : [...records, ...all]).filter(isMeant)
}

const places = [
  ['start'],
  ['traffic'],
  ['data'],
  ['data', 'changes'],
  ['control', 'faults'],
  ['control', 'scenarios'],
  ['control', 'clock'],
  ['control', 'sessions'],
  ['control', 'assumptions'],
  ['control', 'dataset'],
] as const

const go = (
  label: string,
  view: Parameters<typeof linkTo>[0],
  path?: string,
  query: Readonly<Record<string, string>> = {},
): Action => ({ label, run: () => show(linkTo(view, path?.split('/') ?? [], query)) })

const act = <T>(label: string, call: Call<T>, done: Announcement<T> = `Done: ${label}.`): Action => ({
  label,
  run: () =>
    makeChange(call, done).catch((error: unknown) =>
      announce(error instanceof Error ? error.message : 'Something went wrong.'),
    ),
})

const fail = (label: string, fault: object): Action => act(label, prepareFault(fault))
