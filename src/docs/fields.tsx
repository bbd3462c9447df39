import { useState } from 'preact/hooks'

import { listTypes, listValues, type Marks, type Schema } from '../console/components/schema.ts'
import { session } from '../console/place.ts'

export interface DocumentProps {
  readonly resolve: (schema: Schema) => Schema
  /** Describes an assumption by its id, with its value here. */
  readonly explain: (id: string) => string
}

export function Text({ text }: { text: string }) {
  const parts = text.split('`')
  return <>{parts.map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}</>
}

/** Renders whether something is documented or assumed; hover or focus explains its assumption, which a click opens. */
export function MarkList({ of, explain }: Pick<DocumentProps, 'explain'> & { of: Marks }) {
  const { 'x-provenance': provenance, 'x-source': source, 'x-assumption': id } = of
  const search = session.value === undefined ? '' : `?session=${encodeURIComponent(session.value)}`
  return (
    <>
      {provenance && (
        <span class={`mark ${provenance}`} title={source}>
          {provenance}
        </span>
      )}{' '}
      {id !== undefined && (
        <a
          class="tag odd"
          href={`/_sandbox${search}#/control/assumptions?id=${id}`}
          aria-description={explain(id)}
        >
          {id}
          <span class="why" aria-hidden="true">
            {explain(id)}
          </span>
        </a>
      )}
    </>
  )
}

const limits = {
  minimum: 'from',
  exclusiveMinimum: 'more than',
  maximum: 'up to',
  minLength: 'length from',
  maxLength: 'length up to',
  maxItems: 'items up to',
  format: '',
} as const

interface TypeProps extends Pick<DocumentProps, 'resolve'> {
  readonly schema: Schema
}

export function Type({ schema, resolve }: TypeProps) {
  const resolved = resolve(schema)
  const item = resolved.items && resolve(resolved.items)
  const bounds = Object.entries(limits).flatMap(([key, words]) => {
    const bound = new Map(Object.entries(resolved)).get(key)
    const isUnbounded = bound === undefined || Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER
    return isUnbounded ? [] : `${words} ${String(bound)}`
  })
  const values = listValues(item ?? resolved)
  const { default: fallback } = resolved
  const facts = [formatType(schema, resolve), ...bounds]
  if (fallback !== undefined) facts.push(`default ${JSON.stringify(fallback)}`)
  return (
    <span class="type">
      {facts.join(', ')}
      {values.length > 0 && ': '}
      {values.map((value, index) => (
        <>
          {index > 0 && ', '}
          <code>{value === '' ? '""' : value}</code>
        </>
      ))}
    </span>
  )
}

function formatType(schema: Schema, resolve: DocumentProps['resolve']): string {
  const { anyOf, items, ...rest } = resolve(schema)
  if (anyOf) return anyOf.map((one) => formatType(one, resolve)).join(' or ')
  const type = listTypes(rest).join(' or ') || (rest.enum ? 'string' : 'any')
  return items ? type.replace('array', `array of ${formatType(items, resolve)}`) : type
}

/** Finds the fields of a record, of the rows of a list, or of one of several forms; undefined if there are none. */
function findRecord(schema: Schema, resolve: DocumentProps['resolve']): Schema | undefined {
  const { properties, items, anyOf = [], ...rest } = resolve(schema)
  if (properties) return { properties, ...rest }
  const [found] = [items ?? [], anyOf].flat().flatMap((one) => findRecord(one, resolve) ?? [])
  return found
}

interface FieldsProps extends DocumentProps {
  readonly schema: Schema
  /** How many levels are open from the start. */
  readonly levels?: number
}

export function Fields({ schema, levels = 1, ...rest }: FieldsProps) {
  const { properties = {}, required = [] } = findRecord(schema, rest.resolve) ?? {}
  return (
    <ul class="fields-list">
      {Object.entries(properties).map(([name, field]) => (
        <li key={name}>
          <code class="name">{name}</code> <Type schema={field} resolve={rest.resolve} />
          {required.length > 0 && !required.includes(name) && <span class="type">, optional</span>}{' '}
          <MarkList of={rest.resolve(field)} explain={rest.explain} />
          {field.description !== undefined && (
            <p>
              <Text text={field.description} />
            </p>
          )}
          {findRecord(field, rest.resolve) && (
            <Nested {...rest} name={name} schema={field} levels={levels - 1} />
          )}
        </li>
      ))}
    </ul>
  )
}

function Nested({ name, levels, ...rest }: FieldsProps & { name: string; levels: number }) {
  const [isOpen, setOpen] = useState(levels > 0)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Fields of {name}</summary>
      {isOpen && <Fields {...rest} levels={levels} />}
    </details>
  )
}
