import { useState } from 'preact/hooks'

import { useRead } from '../../calls.ts'
import { prepare, routes } from '../../client.ts'
import { ParamField } from '../../components/form.tsx'
import { formatNumber } from '../../components/format.tsx'
import { toWords } from '../../components/schema.ts'
import { MemberSelect, useCast } from '../../components/service.tsx'
import { Button, Loaded } from '../../components/ui.tsx'
import { overview } from '../../live.ts'
import { linkTo, param, place } from '../../place.ts'
import { Browse } from './browse.tsx'
import { Changes } from './changes.tsx'
import { pluralize, useOperations } from './collections.ts'
import { RecordPage } from './record-page.tsx'

/** The most customers of a dataset whose records are all generated without being asked. */
const MOST = 1_000

export function DataView() {
  const { member, error } = useCast()
  const operations = useOperations()
  const { changes = 0, future, size = Infinity } = overview.value ?? {}
  // Counting generates every record, which takes seconds in a large dataset.
  const [isAsked, setAsked] = useState(false)
  const isWhole = isAsked || size <= MOST
  const call = prepare('get', routes.data, { query: { organizationId: member?.organizationId ?? '' } })
  const stored = useRead(isWhole && member ? call : undefined).value?.items ?? []
  const visible = useRead(isWhole ? prepare('get', routes.visibility) : undefined).value?.items ?? []
  const seen = visible.find(({ memberId }) => memberId === member?.id)
  const [name = 'customers', id] = place.value.path
  if (operations.length === 0 || !member) return <Loaded state={{ error }}>{() => null}</Loaded>
  const operation = operations.find(({ collection }) => collection === name)
  const isOfAll = operation?.item.properties?.['customerId'] !== undefined && param('customerId') === ''
  const scope = (['mine', 'team'] as const).find((one) => one === param('scope')) ?? 'all'
  /** Counts what the member sees at the scope; of collections without scopes, what is stored. */
  const count = (collection: string): number | undefined => {
    // The changes of time are not counted.
    if (collection === 'changes') return future === 'living' ? undefined : changes
    if (collection === 'customers' || collection === 'signals') return seen?.[collection][scope]
    return stored.find((one) => one.name === collection)?.totalCount
  }
  return (
    <div class="beside">
      <div>
        <div class="fields">
          <MemberSelect label="As seen by" />
          {operation?.parameters.some((one) => one.name === 'scope') && (
            <ParamField name="scope" label="Scope" options={{ '': 'all', team: 'team', mine: 'mine' }} />
          )}
        </div>
        <nav aria-label="Data">
          {[...operations.map(({ collection }) => collection), 'changes'].map((one) => (
            <a key={one} href={linkTo('data', [one])} aria-current={one === name ? 'true' : undefined}>
              {toWords(one)} <span class="hint">{formatNumber(count(one))}</span>
            </a>
          ))}
        </nav>
        {!isWhole && <Button run={() => setAsked(true)}>Count all records</Button>}
      </div>
      <div>
        {name === 'changes' ? (
          <Changes />
        ) : !operation ? (
          <p class="empty">No collection is called {name}. Choose one from the list.</p>
        ) : id === undefined && isOfAll && !isWhole ? (
          <>
            <h1>{toWords(name)}</h1>
            <p class="hint">
              The {pluralize(name)} of {formatNumber(size)} customers are generated when they are read, which
              takes several seconds. <a href={linkTo('data', ['customers'])}>Choose a customer</a> to read
              only theirs.
            </p>
            <Button run={() => setAsked(true)}>Read all {pluralize(name)}</Button>
          </>
        ) : id === undefined ? (
          <Browse key={name} operation={operation} member={member} />
        ) : (
          <RecordPage key={name + id} {...{ operation, operations, member, id }} />
        )}
      </div>
    </div>
  )
}
