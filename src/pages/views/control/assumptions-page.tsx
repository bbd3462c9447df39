import type { ListedAssumption } from '../../../control/routes/assumptions.ts'
import { castBody, listAssumptions, prepare, routes } from '../../client.ts'
import { Search, Select } from '../../components/form.tsx'
import { Act, Loaded } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo, param, place, setQuery } from '../../place.ts'
import { overview } from '../../shell/overview.ts'
import { AssumptionDetail } from './assumption-detail.tsx'

const kinds = { '': 'all', changed: 'overridden' }

export function AssumptionsPage() {
  const state = useRead(listAssumptions)
  return <Loaded state={state}>{(all) => <Assumptions all={all} />}</Loaded>
}

function Assumptions({ all }: { all: readonly ListedAssumption[] }) {
  const { assumptions: defaults = {} } = overview.value ?? {}
  const isChanged = ({ name }: ListedAssumption): boolean => name !== null && name in defaults
  const [text, only, id] = [param('text').trim().toLowerCase(), param('only'), param('id')]
  const found = all.filter(
    (one) =>
      `${one.id} ${one.subject} ${one.decision} ${one.name}`.toLowerCase().includes(text) &&
      (only !== 'changed' || isChanged(one)),
  )
  const chosen = all.find((one) => one.id === id) ?? found[0]
  const changed = all.filter(isChanged).length
  const restore = prepare('patch', routes.assumptions, { json: castBody(defaults) })
  return (
    <div class={`assumptions beside ${id ? 'is-open' : ''}`}>
      <section class="card" aria-label="Assumptions">
        <div class="row">
          <Search label="Search" clears={['id']} />
          <Select label="Show" value={only} set={(to) => setQuery({ id: '', only: to })} options={kinds} />
          {changed > 0 && (
            <Act call={restore} done="All assumptions use their defaults.">
              Restore {changed === 1 ? 'the default' : `${changed} defaults`}
            </Act>
          )}
        </div>
        <output class="hint">
          {found.length} of {all.length}, {changed} overridden
        </output>
        <ul class="list nav">
          {found.map((one) => (
            <li key={one.id} {...(one === chosen && { ref: reveal })}>
              <a href={linkToAssumption(one.id)} aria-current={one === chosen ? 'true' : undefined}>
                <span class="mono">{one.id}</span> {one.subject}{' '}
                {isChanged(one) && <span class="tag odd">overridden</span>}{' '}
              </a>
            </li>
          ))}
        </ul>
        {found.length === 0 && (
          <p class="empty">No assumptions match. Search for another word, or show all of them.</p>
        )}
      </section>
      {chosen && (
        <div>
          <a class="assumptions-back" href={linkToAssumption('')}>
            ← All assumptions
          </a>
          <AssumptionDetail key={chosen.id} assumption={chosen} isChanged={isChanged(chosen)} />
        </div>
      )}
    </div>
  )
}

/** Builds the link to an assumption that keeps the search; with an empty id, to the list. */
const linkToAssumption = (id: string): string =>
  linkTo('control', ['assumptions'], { ...Object.fromEntries(place.value.query), id })

const reveal = (row: HTMLElement | null): void => row?.scrollIntoView({ block: 'nearest' })
