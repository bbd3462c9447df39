import type { ListedAssumption } from '../../../control/routes/assumptions.ts'
import { useRead } from '../../calls.ts'
import { castBody, prepare, routes } from '../../client.ts'
import { SchemaForm, Search } from '../../components/form.tsx'
import { plural } from '../../components/format.tsx'
import { type Draft, tryJson, toText } from '../../components/schema.ts'
import { Act, Loaded } from '../../components/ui.tsx'
import { overview } from '../../live.ts'
import { param } from '../../place.ts'

export function AssumptionsPage() {
  const state = useRead(prepare('get', routes.assumptions))
  const { assumptions: defaults = {} } = overview.value ?? {}
  const isChanged = ({ name }: ListedAssumption): boolean => name !== null && name in defaults
  const text = param('text').trim().toLowerCase()
  const matches = (one: ListedAssumption): boolean =>
    `${one.id} ${one.subject} ${one.decision} ${one.name} ${isChanged(one) ? 'overridden' : ''}`
      .toLowerCase()
      .includes(text)
  return (
    <Loaded state={state}>
      {(all) => {
        const found = all.filter(matches)
        return (
          <section class="card" aria-label="Assumptions">
            <div class="row">
              <Search label="Search assumptions" />
              <output class="hint">
                {found.length} of {plural(all.length, 'assumption')}, {all.filter(isChanged).length}{' '}
                overridden
              </output>
            </div>
            {found.length === 0 && <p class="empty">No assumptions match. Search for another word.</p>}
            <ul class="list is-lined">
              {found.map((one) => (
                <Assumption key={one.id} assumption={one} isChanged={isChanged(one)} />
              ))}
            </ul>
          </section>
        )
      }}
    </Loaded>
  )
}

function Assumption({ assumption, isChanged }: { assumption: ListedAssumption; isChanged: boolean }) {
  const { id, subject, decision, because, name } = assumption
  return (
    <li>
      <details>
        <summary>
          <code>{id}</code> <b>{subject}</b> {isChanged && <span class="tag odd">overridden</span>}
        </summary>
        <p>
          Default: {decision}. <span class="hint">Reason: {because}.</span>
        </p>
        {name === null && <p class="hint">This assumption cannot be overridden.</p>}
        {name !== null && <Alternatives key={normalize(assumption.value)} {...{ assumption, name }} />}
      </details>
    </li>
  )
}

function Alternatives({ assumption, name }: { assumption: ListedAssumption; name: string }) {
  const { id, options, meanings, value } = assumption
  const isNames = Array.isArray(value) && value.every((one) => typeof one === 'string')
  const prepareUse = (to: unknown) => prepare('patch', routes.assumptions, { json: castBody({ [name]: to }) })
  const done = `Changed ${name} (${id}).`
  return (
    <>
      {options.map((option, at) => (
        <section key={meanings[at]} aria-label={meanings[at]}>
          <div>
            {normalize(option) === normalize(value) ? (
              <span class="tag good">in use</span>
            ) : (
              <Act call={prepareUse(option)} done={done}>
                Use
              </Act>
            )}{' '}
            {meanings[at]} {at === 0 && <span class="hint">default</span>}
          </div>
        </section>
      ))}
      {typeof options.at(-1) === 'object' && (
        <SchemaForm
          label={`Another value of ${name}`}
          schema={{ properties: { [name]: { type: 'string' } } }}
          help={{ [name]: { label: 'Another value: names in their order, or JSON' } }}
          initial={{ [name]: isNames ? value.join(', ') : toText(value) }}
          verb="Use"
          submit={({ [name]: text = '' }: Draft, make) => {
            const to = tryJson(text)?.json ?? text.split(',').map((one) => one.trim())
            return make(prepareUse(to), done)
          }}
        />
      )}
    </>
  )
}

/** Converts a value to text; flags that are off count as absent. */
const normalize = (value: unknown): string =>
  JSON.stringify([value], (_, part: unknown) => (part === false ? undefined : part))
