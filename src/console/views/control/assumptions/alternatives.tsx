import { useState } from 'preact/hooks'

import type { ListedAssumption } from '../../../../control/routes/assumptions.ts'
import { Form, Input } from '../../../components/form.tsx'
import { isFlags, isSame } from './override.ts'

interface AlternativesProps {
  readonly assumption: ListedAssumption
  readonly setValue: (value: unknown) => void
  /** The error of the last change. */
  readonly error: unknown
}

/** Renders the values of an assumption to choose from. */
export function Alternatives({ assumption, setValue, error }: AlternativesProps) {
  const { id, name, options, meanings, value } = assumption
  const known = options.findIndex((option) => isSame(option, value))
  const all = options.at(-1)
  return (
    <fieldset class="alternatives">
      <legend>
        <code>{name}</code>
      </legend>
      {options.map((option, at) => (
        <label key={meanings[at]}>
          <input type="radio" name={id} checked={at === known} onChange={() => setValue(option)} />{' '}
          {meanings[at]} {at === 0 && <span class="hint">(default)</span>}
        </label>
      ))}
      {isFlags(all) && (
        <Flags all={Object.keys(all)} value={isFlags(value) ? value : {}} setValue={setValue} />
      )}
      {Array.isArray(all) && (
        <Names
          key={JSON.stringify(value)}
          of={name ?? id}
          isOther={known === -1}
          value={Array.isArray(value) ? value.join(', ') : JSON.stringify(value)}
          setValue={setValue}
          error={error}
        />
      )}
    </fieldset>
  )
}

interface FlagsProps {
  readonly all: readonly string[]
  readonly value: Readonly<Record<string, unknown>>
  readonly setValue: (value: unknown) => void
}

/** Renders a checkbox for each operation. */
function Flags({ all, value, setValue }: FlagsProps) {
  return (
    <details>
      <summary>per operation</summary>
      {all.map((operation) => (
        <label key={operation}>
          <input
            type="checkbox"
            checked={value[operation] === true}
            onChange={({ currentTarget }) => setValue({ ...value, [operation]: currentTarget.checked })}
          />{' '}
          {operation}
        </label>
      ))}
    </details>
  )
}

interface NamesProps extends Pick<AlternativesProps, 'setValue' | 'error'> {
  readonly of: string
  readonly isOther: boolean
  readonly value: string
}

/** Renders a field for custom names: a list, or JSON that maps each to its meaning. */
function Names({ of, isOther, value, setValue, error }: NamesProps) {
  const [text, setText] = useState(value)
  const submit = (): void => setValue(parseNames(text))
  return (
    <Form label={`Custom names for ${of}`} error={error} submit={submit}>
      <div class="row control-line">
        <Input
          label={`Custom names, in this order${isOther ? ' (current)' : ''}`}
          name={of}
          value={text}
          set={setText}
          error={error}
        />
        <button type="submit">Apply</button>
      </div>
    </Form>
  )
}

function parseNames(text: string): unknown {
  try {
    if (text.trim().startsWith('{')) return JSON.parse(text)
  } catch {
    return text
  }
  return text.split(',').map((name) => name.trim())
}
