import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'

import type { FieldError } from '../../core/errors.ts'
import { RequestError, type Change, useChange, useRead } from '../calls.ts'
import { castBody, readControlDocument } from '../client.ts'
import { param, setQuery } from '../place.ts'
import {
  type Draft,
  type Schema,
  createResolver,
  findSchema,
  getKind,
  listDescribed,
  listFields,
  listOutOfBounds,
  listValues,
  parseDraft,
  toWords,
} from './schema.ts'
import { Folded, Form, Problem } from './ui.tsx'

export interface FieldProps {
  readonly label: string
  readonly name?: string
  readonly value: string
  readonly set: (value: string) => void
  readonly error?: unknown
  readonly hint?: string
  readonly placeholder?: string
  /** The texts of the values to select from; a value that is not among them is added. */
  readonly options?: Readonly<Record<string, string>> | undefined
  readonly proposals?: readonly string[]
  readonly rows?: number | undefined
}

export function Field(props: FieldProps) {
  const { label, name = '', value, set, error, hint, placeholder, options, proposals = [], rows } = props
  const id = useId()
  const message = findFieldMessage(error, name)
  const common = {
    id,
    name,
    value,
    title: hint,
    'aria-describedby': `${id}-about`,
    ...(message !== undefined && { 'aria-invalid': true }),
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      set(currentTarget.value),
  }
  const typed = { ...common, placeholder, spellcheck: false, autocomplete: 'off' }
  const shown = options && (Object.hasOwn(options, value) ? options : { [value]: value, ...options })
  return (
    <div class={rows ? 'input is-wide' : 'input'}>
      <label for={id}>{label}</label>{' '}
      {shown ? (
        <select {...common} disabled={Object.keys(shown).length < 2}>
          {Object.entries(shown).map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      ) : rows ? (
        <textarea rows={rows} {...typed} />
      ) : (
        <input list={proposals.length > 0 ? `${id}-list` : undefined} {...typed} />
      )}
      {proposals.length > 0 && (
        <datalist id={`${id}-list`}>
          {proposals.map((proposal) => (
            <option key={proposal}>{proposal}</option>
          ))}
        </datalist>
      )}
      <div id={`${id}-about`} class="bad">
        {message}
      </div>
    </div>
  )
}

/** Renders a field whose value the URL keeps; what it filters begins at its first page. */
export function ParamField(
  props: Omit<FieldProps, 'set' | 'name' | 'value'> & { name: string; value?: string },
) {
  const set = (value: string): void => setQuery({ page: '', [props.name]: value })
  return <Field value={param(props.name)} set={set} {...props} />
}

export const toOptions = (values: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(values.map((value) => [value, value]))

/** The words of a form for a field, instead of those of its schema. */
export type Help = Partial<Pick<FieldProps, 'label' | 'hint' | 'placeholder' | 'options' | 'proposals'>>

interface SchemaFieldsProps {
  readonly schema: Schema | undefined
  readonly names: readonly string[]
  readonly draft: Draft
  readonly set: (draft: Draft) => void
  readonly error?: unknown
  readonly help?: Readonly<Record<string, Help>>
  readonly empty?: string
}

export function SchemaFields({ schema, names, help, draft, set, error, empty = '' }: SchemaFieldsProps) {
  return (
    <div class="fields">
      {listFields(schema, names).map(([name, field]) => {
        const kind = getKind(field)
        const [hint = '', example = ''] = (field.description ?? '').replaceAll('`', '').split(' Example: ')
        const known = listValues(field)
        const own = { flag: { true: 'yes', false: 'no' }, choice: toOptions(known) }
        const {
          options = kind === 'flag' || kind === 'choice' ? own[kind] : undefined,
          placeholder = empty,
          ...given
        } = help?.[name] ?? {}
        return (
          <Field
            key={name}
            name={name}
            label={toWords(name.split('.').at(-1) ?? name)}
            hint={hint}
            placeholder={placeholder || example.replace(/\.$/, '')}
            proposals={options ? [] : known}
            value={draft[name] ?? ''}
            set={(value) => set({ ...draft, [name]: value })}
            error={error}
            rows={kind === 'json' ? 2 : undefined}
            {...given}
            options={options && { '': placeholder || '–', ...options }}
          />
        )
      })}
    </div>
  )
}

interface SchemaFormProps extends Omit<SchemaFieldsProps, 'draft' | 'set' | 'error' | 'names'> {
  readonly names?: readonly string[]
  readonly label: string
  readonly more?: { readonly label: string; readonly names: readonly string[] }
  readonly initial?: Draft
  readonly verb: string
  /** Sends what was entered; the fields are cleared if it returns true. */
  readonly submit: (body: never, make: Change['make']) => unknown
  /** Names the progress bar of a long change. */
  readonly progress?: string
  readonly children?: ComponentChildren
}

const nothing: Draft = {}

export function SchemaForm({ label, more, initial = nothing, verb, progress, ...props }: SchemaFormProps) {
  const { schema, submit, children, names = Object.keys(props.help ?? {}), ...rest } = props
  const { make, isBusy, error, setError } = useChange()
  const [draft, set] = useState(initial)
  const all = [...names, ...(more?.names ?? [])]
  const fields = { ...rest, schema, draft, set, error }
  const send = async (): Promise<void> => {
    const entered = Object.entries(draft).filter(([name]) => all.includes(name.split('.')[0] ?? ''))
    const value = parseDraft(schema ?? {}, Object.fromEntries(entered))
    const errors = listOutOfBounds(schema ?? {}, value)
    setError(errors.length > 0 ? new RequestError(400, 'Some values are invalid:', errors) : undefined)
    if (errors.length === 0 && (await submit(castBody(value), make)) === true) set(initial)
  }
  return (
    <Form label={label} error={error} submit={send}>
      {children}
      <SchemaFields {...fields} names={names} />
      {more && <Folded title={more.label}>{() => <SchemaFields {...fields} names={more.names} />}</Folded>}
      <OtherErrors error={error} names={all} />
      <button type="submit" class="primary" disabled={!schema || isBusy}>
        {verb}
      </button>
      {isBusy && progress && <progress aria-label={progress} />}
    </Form>
  )
}

/** Finds the schema of the body of a control-plane operation; undefined until it is loaded. */
export function useBodySchema(operationId: string): Schema | undefined {
  const { value } = useRead(readControlDocument)
  const operation = listDescribed(value).find((one) => one.operationId === operationId)
  const schema = findSchema(operation?.requestBody)
  if (!value || !schema) return undefined
  const resolve = createResolver(value)
  // The other option is a list of such objects.
  return schema.anyOf?.map(resolve).find(({ properties }) => properties) ?? resolve(schema)
}

/** Renders a search whose text the URL keeps, and whose results begin at their first page; the key / moves the focus to it. */
export function Search({ label }: { label: string }) {
  return (
    <input
      type="search"
      data-search
      maxLength={1_000}
      aria-label={label}
      placeholder={label}
      value={param('text')}
      onInput={({ currentTarget }) => setQuery({ page: '', text: currentTarget.value })}
    />
  )
}

/** Renders a field that opens a file, also the same one again. */
export function FileField(props: {
  label: string
  accept: string
  open: (file: File | undefined) => unknown
}) {
  const { label, accept, open } = props
  const onChange = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
    void open(currentTarget.files?.[0])
    currentTarget.value = ''
  }
  return (
    <label class="row">
      {label} <input type="file" {...{ accept, onChange }} />
    </label>
  )
}

/**
 * Opens files that are chosen or dropped, as they are at that moment, because a program may write them again.
 * @param take gets the content; what it throws is shown as the error
 */
export function useFile(take: (content: Blob, name: string) => unknown) {
  const [error, setError] = useState<unknown>()
  const open = async (file: File | undefined): Promise<void> => {
    if (!file) return
    setError(undefined)
    const { name } = file
    const reason = `Cannot read ${name}: it is a folder, or it has changed or gone. Choose a file again.`
    try {
      const content = await file.arrayBuffer().catch(() => Promise.reject(new Error(reason)))
      await take(new Blob([content]), name)
    } catch (failure) {
      setError(failure)
    }
  }
  return { open, error }
}

export function OtherErrors({ error, names }: { error: unknown; names: readonly string[] }) {
  const errors = listFieldErrors(error)
  const rest = errors.filter((one) => !names.some((name) => isOf(name)(one)))
  if (rest.length === errors.length) return <Problem error={error} />
  return rest.length === 0 ? null : (
    <Problem error={new RequestError(400, 'Some values are invalid:', rest)} />
  )
}

/** Finds the message for a field and its nested fields; undefined if it has none. */
function findFieldMessage(error: unknown, name: string): string | undefined {
  const messages = listFieldErrors(error)
    .filter(isOf(name))
    .map((one) => `${one.name.slice(name.length).replace(/^\./, '')} ${one.message}`.trim())
  return messages.length === 0 ? undefined : messages.join('; ')
}

const listFieldErrors = (error: unknown): readonly FieldError[] =>
  error instanceof RequestError ? error.errors : []

const isOf =
  (name: string) =>
  ({ name: inner }: FieldError): boolean =>
    inner === name || inner.startsWith(`${name}.`) || inner.startsWith(`${name}[`)
