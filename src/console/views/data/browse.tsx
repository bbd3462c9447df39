import { useId, useState } from 'preact/hooks'

import type { CastMember } from '../../parts/cast.ts'
import { Json } from '../../parts/json.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Provenance } from '../../parts/provenance.tsx'
import { showWith } from '../../parts/query.ts'
import { addressOf, place } from '../../place.ts'
import { Answered, errorsOf } from './answered.tsx'
import { filledPath, type ListOperation } from './contract.ts'
import { Filters } from './filters.tsx'
import { NewRecord } from './new-record.tsx'
import { Pages } from './pages.tsx'
import { PathChoices } from './path-choices.tsx'
import { RecordsTable } from './records-table.tsx'
import { usePathValues } from './use-path-values.ts'
import { listOf, useService } from './use-service.ts'
import { isRecord, singular, titleOf } from './words.ts'

export interface BrowseProps {
  readonly operation: ListOperation
  readonly collections: readonly string[]
  readonly member: CastMember
}

/** What a member gets of a collection, through the service's own operation and parameters. */
export function Browse({ operation, collections, member }: BrowseProps) {
  const { collection, path, pathNames, parameters } = operation
  const [isAdding, setAdding] = useState(false)
  const choices = usePathValues(operation, member.organizationId, collections)
  const values = Object.fromEntries(choices.map(({ name, value }) => [name, value]))
  const address = filledPath(path, { ...values, organizationId: member.organizationId })
  const asked = address === undefined ? undefined : `${address}${queryOf(operation)}`
  const { value: answer, error } = useService(asked, member)
  const list = answer && answer.status < 300 ? listOf(answer.body) : undefined
  const source = { collections, organizationId: member.organizationId }
  const isPaged = parameters.some(({ name }) => name === 'limit')
  const isJson = place.value.query.get('as') === 'json'
  const isWaiting = choices.some(({ options }) => options === undefined)
  return (
    <>
      <div class="row data-head">
        <h1>{titleOf(collection)}</h1>
        <p>
          <code>{operation.id}</code>{' '}
          <Provenance of={operation.marks} what={`the answer of ${operation.id}`} />
        </p>
        {collection === 'members' && <a href={addressOf('data', ['tree'])}>As a tree</a>}
        <button type="button" onClick={() => setAdding(true)}>
          New {singular(collection)}
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
        <Filters operation={operation} source={source} errors={errorsOf(answer)} />
      </section>
      <section class="card data-answer" aria-label="Answer">
        <Problem error={error} />
        {asked === undefined && !isWaiting && (
          <p class="empty">There is nothing that {pathNames.join(' and ')} could be.</p>
        )}
        {asked !== undefined && answer && (
          <Answered
            asked={{ path: asked, token: member.token }}
            answer={answer}
            beside={<ShownAs isJson={isJson} />}
          >
            {list && (
              <Pages
                parameters={parameters}
                shown={list.items.length}
                total={isRecord(answer.body) || !isPaged ? list.total : undefined}
              />
            )}
            {isJson || !list ? (
              <Json value={answer.body} />
            ) : list.items.length > 0 ? (
              <RecordsTable
                collection={collection}
                records={list.items}
                same={pathNames}
                source={source}
                caption={`${titleOf(collection)} that ${member.name} gets`}
              />
            ) : (
              <p class="empty">{member.name} gets an empty list: nothing matches.</p>
            )}
          </Answered>
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
      <legend class="data-hidden">Show the answer as</legend>
      {choices.map(([label, as]) => (
        <label key={label}>
          <input
            type="radio"
            name={group}
            checked={isJson === (as === 'json')}
            onChange={() => showWith({ as })}
          />{' '}
          {label}
        </label>
      ))}
    </fieldset>
  )
}

/** The query of the request: those of the operation's parameters that the address has. */
function queryOf({ parameters }: ListOperation): string {
  const { query } = place.value
  const sent = new URLSearchParams(
    parameters.flatMap(({ name }) => query.getAll(name).map((value) => [name, value])),
  )
  return sent.size > 0 ? `?${sent}` : ''
}
