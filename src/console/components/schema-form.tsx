import { readControlDocument } from '../client.ts'
import { Input, Select } from './form.tsx'
import { findFieldMessage, omitFieldErrors, Problem } from './problem.tsx'
import { type Draft, type Schema, createResolver, getKind, listValues, toWords } from './schema.ts'
import { useRead } from './use-calls.ts'

/** Details of a form that its schema does not know. */
export interface FieldHelp {
  readonly label?: string
  readonly hint?: string
  readonly placeholder?: string
  /** Values to choose from, with their labels. */
  readonly options?: Readonly<Record<string, string>>
  /** Values to suggest. */
  readonly proposals?: readonly string[]
}

export interface SchemaFieldsProps {
  /** The schema of an object; undefined until it is loaded. */
  readonly schema: Schema | undefined
  /** The fields to show, in this order; all of the schema by default. */
  readonly names?: readonly string[]
  readonly draft: Draft
  readonly set: (draft: Draft) => void
  /** The error of the last submission. */
  readonly error: unknown
  readonly help?: Readonly<Record<string, FieldHelp>>
  /** The placeholder of empty fields. */
  readonly empty?: string
}

const noHelp = {}

/** Renders the fields of an object by its JSON schema, each with its validation error. */
export function SchemaFields({ schema, names, help = noHelp, ...props }: SchemaFieldsProps) {
  const properties = schema?.properties ?? {}
  return (
    <div class="fields">
      {(names ?? Object.keys(properties)).map((name) => {
        const field = properties[name]
        return field && <Field key={name} {...props} name={name} schema={field} help={help} />
      })}
    </div>
  )
}

/** Renders the errors of a submission that belong to none of the shown fields. */
export function OtherErrors({
  error,
  names,
}: {
  readonly error: unknown
  readonly names: readonly string[]
}) {
  return <Problem error={omitFieldErrors(error, names)} />
}

interface FieldProps extends Omit<SchemaFieldsProps, 'schema' | 'names' | 'help'> {
  readonly name: string
  readonly schema: Schema
  readonly help: Readonly<Record<string, FieldHelp>>
}

function Field({ name, schema, draft, set, error, help, empty = '' }: FieldProps) {
  const {
    label = toWords(name.split('.').at(-1) ?? name),
    hint,
    placeholder,
    options,
    proposals,
  } = help[name] ?? {}
  const kind = getKind(schema)
  const common = {
    label,
    value: draft[name] ?? '',
    set: (value: string) => set({ ...draft, [name]: value }),
  }
  if (kind === 'group') {
    return (
      <>
        {Object.entries(schema.properties ?? {}).map(([inner, field]) => (
          <Field
            key={inner}
            name={`${name}.${inner}`}
            schema={field}
            draft={draft}
            set={set}
            error={error}
            help={help}
            empty={empty}
          />
        ))}
      </>
    )
  }
  if (kind === 'choice' || options) {
    const known = options ?? Object.fromEntries(listValues(schema).map((value) => [value, value]))
    const message = findFieldMessage(error, name)
    return <Select {...common} options={{ '': empty || '–', ...known }} message={message} />
  }
  if (kind === 'flag') return <Select {...common} options={{ '': empty || '–', true: 'yes', false: 'no' }} />
  const isLong = kind === 'json' || kind === 'map'
  const about = hint ?? schema.description
  return (
    <div class={isLong ? 'is-wide' : undefined}>
      <Input
        {...common}
        name={name}
        error={error}
        proposals={proposals ?? listValues(schema)}
        {...(isLong && { rows: 2 })}
        {...(about !== undefined && { hint: about })}
        placeholder={placeholder ?? empty}
      />
    </div>
  )
}

/** Finds the schema of the body of a control-plane operation; undefined until it is loaded. */
export function useBodySchema(operationId: string): Schema | undefined {
  const { value } = useRead(readControlDocument)
  const operations = Object.values(value?.paths ?? {}).flatMap((methods) => Object.values(methods))
  const body = operations.find((one) => one.operationId === operationId)?.requestBody
  const schema = body && Object.values(body.content)[0]?.schema
  if (!value || !schema) return undefined
  const resolve = createResolver(value)
  // The other option is a list of such objects.
  return schema.anyOf?.map(resolve).find(({ properties }) => properties) ?? resolve(schema)
}
