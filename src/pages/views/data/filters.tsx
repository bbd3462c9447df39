import { prepareRecords } from '../../client.ts'
import { type Help, SchemaFields } from '../../components/form.tsx'
import { listTypes, type Schema } from '../../components/schema.ts'
import { Button, Folded } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { param, place, setQuery } from '../../place.ts'
import type { ListOperation } from './contract.ts'
import { listKnownWords } from './labels.ts'

interface FiltersProps {
  readonly operation: ListOperation
  readonly organizationId: string
}

/** Renders a field for each parameter of a list, except the scope, which the whole page has; the URL keeps them. */
export function Filters({ operation, organizationId }: FiltersProps) {
  const { query } = place.value
  const { pathNames, parameters, item, collection } = operation
  const others = [...pathNames, ...(item.properties?.['customerId'] ? ['customerId'] : [])]
  const properties: Readonly<Record<string, Schema>> = {
    ...Object.fromEntries(others.map((name) => [name, { type: 'integer' }])),
    ...Object.fromEntries(
      parameters.map(({ name, schema, description = '' }) => [name, { ...schema, description }]),
    ),
  }
  const names = Object.keys(properties).filter((name) => name !== 'scope')
  const isSeveral = (name: string): boolean => listTypes(properties[name] ?? {}).includes('array')
  const known = useRead(prepareRecords(collection, { organizationId, limit: '250' })).value?.items ?? []
  const help = names.map((name): readonly [string, Help] => {
    const several = isSeveral(name) && { placeholder: 'several, separated by commas' }
    return [name, { label: name, ...several, proposals: listKnownWords(known, name) }]
  })
  return (
    <>
      {names
        .filter((name) => query.has(name))
        .map((name) => (
          <Button key={name} title="Remove this filter" run={() => setQuery({ [name]: undefined, page: '' })}>
            {name}: {query.getAll(name).join(', ')} ×
          </Button>
        ))}
      <Folded title="Filters" isOpen={param('filter') !== ''}>
        {() => (
          <SchemaFields
            schema={{ properties }}
            names={names}
            help={Object.fromEntries(help)}
            draft={Object.fromEntries(names.map((name) => [name, query.getAll(name).join(', ')]))}
            set={(draft) => {
              const entered = Object.entries(draft).map(([name, text]) => {
                return [name, (isSeveral(name) ? text.split(/,\s*/) : [text]).filter(Boolean)] as const
              })
              setQuery({ ...Object.fromEntries(entered), page: '' })
            }}
            error={undefined}
            empty="any"
          />
        )}
      </Folded>
    </>
  )
}
