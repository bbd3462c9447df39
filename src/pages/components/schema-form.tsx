import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import { castBody, readControlDocument, readDocument } from '../client.ts'
import { Form, Input, OtherErrors, Select, findFieldMessage, toOptions } from './form.tsx'
import {
  type Draft,
  type Schema,
  createResolver,
  getKind,
  listValues,
  parseDraft,
  toWords,
} from './schema.ts'
import { type Change, useRead } from './use-calls.ts'

interface FieldHelp {
  readonly label?: string
  readonly hint?: string
  readonly placeholder?: string
  readonly options?: Readonly<Record<string, string>>
  readonly proposals?: readonly string[]
}

interface SchemaFieldsProps {
  readonly schema: Schema | undefined
  /** The fields to show, in this order; all of the schema by default. */
  readonly names?: readonly string[]
  readonly draft: Draft
  readonly set: (draft: Draft) => void
  readonly error: unknown
  readonly help?: Readonly<Record<string, FieldHelp>>
  readonly empty?: string
}

export function SchemaFields({ schema, names, help, draft, set, ...props }: SchemaFieldsProps) {
  return (
    <div class="fields">
      {listFields(schema, names).map(([name, field]) => (
        <Field
          key={name}
          {...props}
          name={name}
          schema={field}
          help={help?.[name] ?? {}}
          value={draft[name] ?? ''}
          set={(value) => set({ ...draft, [name]: value })}
        />
      ))}
    </div>
  )
}

/** Lists the fields of an object; those of a group as in `rateLimit.requests`. */
function listFields(
  { properties = {} }: Schema = {},
  names: readonly string[] = Object.keys(properties),
): readonly (readonly [string, Schema])[] {
  return names.flatMap((name) => {
    const field = properties[name]
    if (!field) return []
    if (getKind(field) !== 'group') return [[name, field] as const]
    return listFields(field).map(([inner, schema]) => [`${name}.${inner}`, schema] as const)
  })
}

interface FieldProps extends Pick<SchemaFieldsProps, 'error' | 'empty'> {
  readonly name: string
  readonly schema: Schema
  readonly help: FieldHelp
  readonly value: string
  readonly set: (value: string) => void
}

function Field({ name, schema, help, error, empty = '', ...entered }: FieldProps) {
  const kind = getKind(schema)
  const [about = '', example = ''] = (schema.description ?? '').replaceAll('`', '').split(' Example: ')
  const {
    label = toWords(name.split('.').at(-1) ?? name),
    hint = about,
    proposals = listValues(schema),
  } = help
  const ofKind = { flag: { true: 'yes', false: 'no' }, choice: toOptions(proposals) }
  const options = help.options ?? (kind === 'flag' || kind === 'choice' ? ofKind[kind] : undefined)
  const common = { label, hint, ...entered }
  if (options) {
    const message = findFieldMessage(error, name)
    return <Select {...common} options={{ '': empty || '–', ...options }} message={message} />
  }
  const isLong = kind === 'json' || kind === 'map'
  const { placeholder = empty || example.replace('.', '') } = help
  const known = proposals.length > 0 && { proposals: new Map(proposals.map((one) => [one, ''])) }
  return (
    <div class={isLong ? 'is-wide' : undefined}>
      <Input {...common} {...known} {...{ name, error, placeholder }} rows={isLong ? 2 : undefined} />
    </div>
  )
}

interface SchemaFormProps extends Omit<SchemaFieldsProps, 'draft' | 'set' | 'error'> {
  readonly label: string
  readonly names: readonly string[]
  readonly more?: { readonly label: string; readonly names: readonly string[] }
  readonly initial?: Draft
  readonly verb: string
  readonly change: Change
  /** Sends what was entered; the fields are cleared if it returns true. */
  readonly submit: (body: never) => unknown
  readonly children?: ComponentChildren
}

const nothing: Draft = {}

export function SchemaForm({ label, names, more, initial = nothing, verb, ...props }: SchemaFormProps) {
  const { schema, change, submit, children, ...rest } = props
  const [draft, set] = useState(initial)
  const all = [...names, ...(more?.names ?? [])]
  const fields = { ...rest, schema, draft, set, error: change.error }
  const send = async (): Promise<void> => {
    const entered = Object.entries(draft).filter(([name]) => all.includes(name.split('.')[0] ?? ''))
    const body = castBody(parseDraft(schema ?? {}, Object.fromEntries(entered)))
    if ((await submit(body)) === true) set(initial)
  }
  return (
    <Form label={label} error={change.error} submit={send}>
      {children}
      <SchemaFields {...fields} names={names} />
      {more && (
        <details>
          <summary>{more.label}</summary>
          <SchemaFields {...fields} names={more.names} />
        </details>
      )}
      <OtherErrors error={change.error} names={all} />
      <button type="submit" class="primary" disabled={!schema || change.isBusy}>
        {verb}
      </button>
    </Form>
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

export function useOperationIds(): readonly string[] {
  const methods = Object.values(useRead(readDocument).value?.paths ?? {}).flatMap(Object.values)
  return methods.map(({ operationId }) => operationId)
}
