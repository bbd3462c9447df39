import { useId, useState } from 'preact/hooks'

import type { CastMember } from '../../components/cast.ts'
import { Json } from '../../components/json.tsx'
import { Problem } from '../../components/problem.tsx'
import { Provenance } from '../../components/provenance.tsx'
import { linkTo, place, setQuery } from '../../place.ts'
import { type ListOperation, fillPath } from './contract.ts'
import { Filters } from './filters.tsx'
import { isRecord, singularize, formatTitle } from './labels.ts'
import { NewRecord } from './new-record.tsx'
import { Pages } from './pages.tsx'
import { PathChoices, usePathValues } from './path-choices.tsx'
import { RecordsTable } from './records-table.tsx'
import { ServiceResponse, listParameterErrors, parseList, usePreview } from './service-response.tsx'

export interface BrowseProps {
  readonly operation: ListOperation
  readonly collections: readonly string[]
  readonly member: CastMember
}

/** Renders a collection as a member sees it, through the service's own operation. */
export function Browse({ operation, collections, member }: BrowseProps) {
  const { collection, path, pathNames, parameters } = operation
  const [isAdding, setAdding] = useState(false)
  const choices = usePathValues(operation, member.organizationId, collections)
  const values = Object.fromEntries(choices.map(({ name, value }) => [name, value]))
  const address = fillPath(path, { ...values, organizationId: member.organizationId })
  const target = address === undefined ? undefined : `${address}${buildQuery(operation)}`
  const { value: response, error } = usePreview(target, member)
  const list = response && response.status < 300 ? parseList(response.body) : undefined
  const source = { collections, organizationId: member.organizationId }
  const isPaged = parameters.some(({ name }) => name === 'limit')
  const isJson = place.value.query.get('as') === 'json'
  const isWaiting = choices.some(({ options }) => options === undefined)
  return (
    <>
      <div class="row data-head">
        <h1>{formatTitle(collection)}</h1>
        <p>
          <code>{operation.id}</code>{' '}
          <Provenance of={operation.marks} subject={`the response of ${operation.id}`} />
        </p>
        {collection === 'members' && <a href={linkTo('people')}>By manager</a>}
        <button type="button" onClick={() => setAdding(true)}>
          New {singularize(collection)}
        </button>
      </div>
      {isAdding && (
        <NewRecord
          operation={operation}
          organizationId={member.organizationId}
          given={values}
          onClose={() => setAdding(false)}
        />
      )}
      <section class="card" aria-label="Request">
        {choices.length > 0 && (
          <div class="row data-path">
            <PathChoices choices={choices} />
          </div>
        )}
        <Filters operation={operation} source={source} errors={listParameterErrors(response)} />
      </section>
      <section class="card data-response" aria-label="Response">
        <Problem error={error} />
        {target === undefined && !isWaiting && (
          <p class="empty">No value available for {pathNames.join(' and ')}.</p>
        )}
        {target !== undefined && response && (
          <ServiceResponse
            request={{ path: target, token: member.token }}
            response={response}
            controls={<ShownAs isJson={isJson} />}
          >
            {list && (
              <Pages
                parameters={parameters}
                shown={list.items.length}
                total={isRecord(response.body) || !isPaged ? list.total : undefined}
              />
            )}
            {isJson || !list ? (
              <Json value={response.body} />
            ) : list.items.length > 0 ? (
              <RecordsTable
                collection={collection}
                records={list.items}
                same={pathNames}
                source={source}
                caption={`${formatTitle(collection)} visible to ${member.name}`}
              />
            ) : (
              <p class="empty">No records match for {member.name}.</p>
            )}
          </ServiceResponse>
        )}
      </section>
    </>
  )
}

function ShownAs({ isJson }: { readonly isJson: boolean }) {
  const group = useId()
  const choices = [
    ['Table', undefined],
    ['JSON', 'json'],
  ] as const
  return (
    <fieldset class="data-as">
      <legend class="data-hidden">View as</legend>
      {choices.map(([label, as]) => (
        <label key={label}>
          <input
            type="radio"
            name={group}
            checked={isJson === (as === 'json')}
            onChange={() => setQuery({ as })}
          />{' '}
          {label}
        </label>
      ))}
    </fieldset>
  )
}

/** Builds the request's query from the operation's parameters in the URL. */
function buildQuery({ parameters }: ListOperation): string {
  const { query } = place.value
  const sent = new URLSearchParams(
    parameters.flatMap(({ name }) => query.getAll(name).map((value) => [name, value])),
  )
  return sent.size > 0 ? `?${sent}` : ''
}
