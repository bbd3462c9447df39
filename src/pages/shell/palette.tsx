import { useEffect, useId, useState } from 'preact/hooks'

import { type Call, announceError, type Announcement, useRead, makeChange } from '../calls.ts'
import { fork, moveClock, prepare, prepareFault, prepareScenario, readHar, routes } from '../client.ts'
import { copyText } from '../components/copy.tsx'
import { useBodySchema } from '../components/form.tsx'
import { statusClasses } from '../components/format.tsx'
import { parseDuration, listValues } from '../components/schema.ts'
import { saveFile, useCast } from '../components/service.tsx'
import { isOccupied, useKeys } from '../components/table.tsx'
import { useModal } from '../components/ui.tsx'
import { type ViewName, linkTo, setQuery, show, switchSession, viewNames } from '../place.ts'
import { controlPages } from '../views/control/control-view.tsx'
import { useOperations, pluralize, singularize } from '../views/data/collections.ts'
import guide from './guide.json' with { type: 'json' }

/** The number of actions to show, and how many of them a group may have beside others. */
const [SHOWN, SHARE] = [14, 3]

export function Palette({ close }: { close: () => void }) {
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const actions = share(useActions(text))
  useEffect(() => setAt(0), [text])
  const run = (action: Action | undefined): void => {
    if (!action) return
    close()
    remember(action.label)
    action.run()
  }
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0
    if (event.key === 'Enter') run(actions[at])
    else if (step !== 0) setAt((at + step + actions.length) % Math.max(1, actions.length))
    else return
    event.preventDefault()
  }
  return (
    <dialog {...useModal(close)} aria-label="Actions">
      <input
        {...{ role: 'combobox', list: undefined, 'aria-expanded': true }}
        type="text"
        aria-label="Action"
        aria-controls={id}
        aria-activedescendant={actions.length > 0 ? `${id}-${at}` : undefined}
        placeholder="fail, 30 days, signal 1, 404, scope, a member, a customer …"
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
            {...(index === at && { ref: (option) => option?.scrollIntoView({ block: 'nearest' }) })}
            onClick={() => run(action)}
          >
            {action.label}{' '}
            {action.group !== actions[index - 1]?.group && (
              <span class="hint" aria-hidden="true">
                {action.group}
              </span>
            )}
          </li>
        ))}
      </ul>
      {actions.length === 0 && <p class="empty">No action matches.</p>}
      <p class="hint">
        <kbd>↑</kbd> <kbd>↓</kbd> choose · <kbd>Enter</kbd> runs · <kbd>Esc</kbd> closes · <kbd>Ctrl K</kbd>{' '}
        opens · <kbd>/</kbd> searches the view
      </p>
    </dialog>
  )
}

/** Follows the keys that work everywhere: Ctrl K opens all actions, / moves to the search of the view. */
export const usePaletteKeys = (openPalette: () => void): void =>
  useKeys((event) => {
    const hasModifier = event.ctrlKey || event.metaKey
    const isPalette = event.key.toLowerCase() === 'k' && hasModifier
    const isSearch = event.key === '/' && !hasModifier && !isOccupied(event)
    if (event.altKey || !(isPalette || isSearch)) return
    event.preventDefault()
    const search = document.querySelector<HTMLElement>('main [data-search]')
    if (search && isSearch) search.focus()
    else openPalette()
  })

interface Item {
  readonly label: string
  readonly run: () => unknown
}

interface Action extends Item {
  readonly group: string
}

const RECENT = 'workspace-sandbox recent actions'

const readRecent = (): readonly string[] => localStorage.getItem(RECENT)?.split('\n') ?? []

const remember = (label: string): void =>
  localStorage.setItem(RECENT, [...new Set([label, ...readRecent()])].slice(0, 5).join('\n'))

/** Takes actions of each group, so that no group hides another; a group that is alone gets all places. */
function share(actions: readonly Action[]): readonly Action[] {
  const groups = Array.from(Map.groupBy(actions, ({ group }) => group).values())
  const size = Math.max(SHARE, Math.floor(SHOWN / Math.max(1, groups.length)))
  return groups.flatMap((group) => group.slice(0, groups.length === 1 ? SHOWN : size))
}

/** Lists every action of the console, including those that the text itself names. Order: the likeliest group first. */
function useActions(text: string): readonly Action[] {
  const { members, member } = useCast()
  const sessions = useRead(prepare('get', routes.sessions)).value?.items ?? []
  const scenarios = useRead(prepare('get', routes.scenarios.definitions)).value?.items ?? []
  const operations = useOperations()
  const operationIds = listValues(useBodySchema('addFaults')?.properties?.['operationId'] ?? {})
  const words = text.trim().toLowerCase().split(/\s+/)
  const number = words.find((word) => /^\d+$/.test(word))
  const isStatus = Number(number) >= 100 && Number(number) < 600
  const status = isStatus && Number(number) >= 400 ? Number(number) : 503
  const durations = [text.trim(), '1 day', '30 days'].filter((by) => parseDuration(by) !== undefined)
  const query = { q: number ?? text.trim(), limit: '20' }
  const found = useRead(text.trim() === '' ? undefined : prepare('get', routes.find, { query })).value?.items
  const [, copyName] = /^(?:fork|copy) (?:as )?(\S.*)$/.exec(text.trim()) ?? []
  const copy = `Fork this session and switch to the copy${copyName === undefined ? '' : `, called ${copyName}`}`
  const copying = fork(copyName === undefined ? {} : { name: copyName })
  const groups: Readonly<Record<string, readonly Item[]>> = {
    Requests: [
      ...(isStatus ? [number ?? ''] : [])
        .concat(statusClasses)
        .map((one) => go(`Show requests with status ${one}`, 'traffic', '', { status: one })),
      ...(number === undefined ? [] : [go(`Open request ${number}`, 'traffic', number)]),
      { label: 'Export the requests as HAR', run: () => saveFile(readHar, 'requests.har') },
    ],
    Records: [
      ...(found ?? []).map(({ collection, id, name }) =>
        go(`Open ${singularize(collection)} ${name} (${id})`, 'data', `${collection}/${id}`),
      ),
      ...operations.map(({ collection }) =>
        go(`New ${singularize(collection)}`, 'data', collection, { new: 'yes' }),
      ),
    ],
    Faults: [
      fail(`Fail the next request with ${status}`, { status, times: 1 }),
      // The shortest first, as `listCustomers` before `listCustomerNotes`.
      ...operationIds
        .toSorted((a, b) => a.length - b.length)
        .map((operationId) =>
          fail(`Fail the next ${operationId} with ${status}`, { operationId, status, times: 1 }),
        ),
      fail('Slow: every request takes 2 s longer', { delayMs: 2_000 }),
      fail('Offline: every connection is reset', { reset: true }),
      act('Release the held requests', prepare('post', routes.gates.release, { json: {} })),
      act('Remove all faults', prepare('delete', routes.faults)),
    ],
    Clock: [
      ...durations.map((by) => act(`Advance the clock by ${by}`, moveClock(by))),
      act('Reset the clock', prepare('delete', routes.clock)),
    ],
    Session: [
      act(copy, copying.call, copying.done),
      go('Undo all changes …', 'data', 'changes'),
      go('Reset the session, or reseed …', 'control', 'dataset'),
      ...['default', ...sessions.map(({ id }) => id)].map((id) => ({
        label: `Switch to session ${id}`,
        run: () => switchSession(id === 'default' ? undefined : id),
      })),
    ],
    Scenarios: scenarios.map(({ name }) => act(`Add scenario ${name}`, prepareScenario({ name }))),
    'Go to': [
      ...viewNames.map((view) => go(`Go to ${view}`, view)),
      ...controlPages.map((page) => go(`Go to ${page}`, 'control', page)),
    ],
    Members: [
      { label: `Copy the token of ${member?.name}`, run: () => copyText(member?.token ?? '', 'the token') },
      ...members.map(({ id, name, organizationId }) => ({
        label: `Act as ${name} (${organizationId})`,
        run: () => setQuery({ member: `${id}` }),
      })),
    ],
    Filters: operations.flatMap(({ collection, parameters }) =>
      parameters.flatMap(({ name, schema }) => [
        go(`Filter ${pluralize(collection)} by ${name}`, 'data', collection, { filter: name }),
        ...listValues(schema).map((value) =>
          go(`Filter ${pluralize(collection)} by ${name}: ${value}`, 'data', collection, { [name]: value }),
        ),
      ]),
    ),
    Docs: ['', ...Object.values(guide).flat(), 'reference/'].map((page) => ({
      label: `Open the docs${page && `: ${page.replace(/\W/g, ' ').trim()}`}`,
      run: () => location.assign(`/_sandbox/docs/${page}`),
    })),
  }
  const likeliest = isStatus ? 'Requests' : number === undefined ? 'Faults' : 'Records'
  const all = Object.entries(groups)
    .toSorted(([one], [other]) => Number(other === likeliest) - Number(one === likeliest))
    .flatMap(([group, actions]) => actions.map((one) => ({ ...one, group })))
  const isMeant = ({ label }: Action): boolean => words.every((word) => label.toLowerCase().includes(word))
  const matching = all.filter((one) => isMeant(one) || one.label === (copyName && copy))
  const recent = readRecent().flatMap((label) => matching.find((one) => one.label === label) ?? [])
  return [
    ...recent.map((one) => ({ ...one, group: 'Recent' })),
    ...matching.filter((one) => !recent.includes(one)),
  ]
}

const go = (
  label: string,
  view: ViewName,
  path = '',
  query: Readonly<Record<string, string>> = {},
): Item => ({
  label,
  run: () => show(linkTo(view, path.split('/').filter(Boolean), query)),
})

const act = <T,>(label: string, call: Call<T>, done: Announcement<T> = `Done: ${label}.`): Item => ({
  label,
  run: () => makeChange(call, done).catch(announceError),
})

const fail = (label: string, fault: object): Item => act(label, prepareFault(fault, true))
