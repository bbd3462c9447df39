import { useEffect, useId, useState } from 'preact/hooks'

import { type Call, announce, type Announcement, useRead, makeChange } from '../calls.ts'
import { fork, advanceClock, prepare, prepareFault, routes } from '../client.ts'
import { chooseMember, useCast } from '../components/cast.tsx'
import { useOperationIds } from '../components/form.tsx'
import { statusClasses } from '../components/format.tsx'
import { parseDuration, listValues } from '../components/schema.ts'
import { isTyping } from '../components/table.tsx'
import { useModal } from '../components/ui.tsx'
import { linkTo, show, switchSession } from '../place.ts'
import { useOperations, pluralize, singularize } from '../views/data/collections.ts'

/** The number of actions to show. */
const SHOWN = 12

const combobox = { role: 'combobox', list: undefined, 'aria-expanded': true } as const

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** @param initial the text to begin with */
export function Palette({ initial, close }: { initial: string; close: () => void }) {
  const id = useId()
  const [text, setText] = useState(initial)
  const [at, setAt] = useState(0)
  const actions = useActions(text).slice(0, SHOWN)
  useEffect(() => setAt(0), [text])
  const run = (action: Action | undefined): void => {
    if (!action) return
    close()
    action.run()
  }
  const press = (event: KeyboardEvent): void => {
    const step = steps[event.key]
    if (event.key === 'Enter') run(actions[at])
    else if (step !== undefined) setAt((at + step + actions.length) % Math.max(1, actions.length))
    else return
    event.preventDefault()
  }
  return (
    <dialog {...useModal(close)} aria-label="Actions">
      <input
        {...combobox}
        type="text"
        aria-label="Action"
        aria-controls={id}
        aria-activedescendant={actions.length > 0 ? `${id}-${at}` : undefined}
        placeholder="fail, 30 days, signal 7, 404, scope, a member, a customer …"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={press}
      />
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role -- a select cannot be searched */}
      <ul id={id} class="list" role="listbox" aria-label="Actions">
        {actions.map((action, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys of the search run it
          <li
            key={action.label}
            id={`${id}-${index}`}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role -- as the list
            role="option"
            aria-selected={index === at}
            onClick={() => run(action)}
          >
            {action.label}
          </li>
        ))}
      </ul>
      {actions.length === 0 && <p class="empty">No action matches.</p>}
    </dialog>
  )
}

/** Follows the keys that work everywhere: Ctrl K opens all actions, / moves to the search of the view. */
export function useKeys(openPalette: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, target, defaultPrevented } = event
      if (defaultPrevented || altKey) return
      const isPalette = key.toLowerCase() === 'k' && (ctrlKey || metaKey)
      const isBusy = ctrlKey || metaKey || isTyping(target) || document.querySelector('dialog[open]')
      if (!isPalette && (isBusy || key !== '/')) return
      event.preventDefault()
      const search = document.querySelector<HTMLElement>('main [data-search]')
      if (search && !isPalette) search.focus()
      else openPalette()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

export interface Action {
  readonly label: string
  readonly run: () => unknown
}

/** Lists every action of the console, including those that the text itself names. Order: the likeliest first. */
function useActions(text: string): readonly Action[] {
  const { members } = useCast()
  const sessions = useRead(prepare('get', routes.sessions)).value?.items ?? []
  const words = text.trim().toLowerCase().split(/\s+/)
  const number = words.find((word) => /^\d+$/.test(word))
  const isStatus = Number(number) >= 100 && Number(number) < 600
  const status = isStatus && Number(number) >= 400 ? Number(number) : 503
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
    ...[...(number !== undefined && isStatus ? [number] : []), ...statusClasses].map((one) =>
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

function act<T>(label: string, call: Call<T>, done: Announcement<T> = `Done: ${label}.`): Action {
  const run = () =>
    makeChange(call, done).catch((error: unknown) =>
      announce(error instanceof Error ? error.message : 'Something went wrong.'),
    )
  return { label, run }
}

const fail = (label: string, fault: object): Action => act(label, prepareFault(fault, true))
