import { useState } from 'preact/hooks'

import type { ListedAssumption } from '../../../../control/assumption-routes.ts'
import { Form } from '../../../parts/form.tsx'
import { Input } from '../../../parts/input.tsx'
import { isFlags, isSame } from './decision.ts'

interface AlternativesProps {
  readonly assumption: ListedAssumption
  readonly decide: (value: unknown) => void
  /** Why the latest value was refused. */
  readonly error: unknown
}

/** The values that an assumption may have. */
export function Alternatives({ assumption, decide, error }: AlternativesProps) {
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
          <input type="radio" name={id} checked={at === known} onChange={() => decide(option)} />{' '}
          {meanings[at]} {at === 0 && <span class="hint">(default)</span>}
        </label>
      ))}
      {isFlags(all) && <Flags all={Object.keys(all)} value={isFlags(value) ? value : {}} decide={decide} />}
      {Array.isArray(all) && (
        <Names
          key={JSON.stringify(value)}
          of={name ?? id}
          isOther={known === -1}
          value={Array.isArray(value) ? value.join(', ') : JSON.stringify(value)}
          decide={decide}
          error={error}
        />
      )}
    </fieldset>
  )
}

interface FlagsProps {
  readonly all: readonly string[]
  readonly value: Readonly<Record<string, unknown>>
  readonly decide: (value: unknown) => void
}

/** Some of the operations, each by itself. */
function Flags({ all, value, decide }: FlagsProps) {
  return (
    <details>
      <summary>each by itself</summary>
      {all.map((operation) => (
        <label key={operation}>
          <input
            type="checkbox"
            checked={value[operation] === true}
            onChange={({ currentTarget }) => decide({ ...value, [operation]: currentTarget.checked })}
          />{' '}
          {operation}
        </label>
      ))}
    </details>
  )
}

interface NamesProps extends Pick<AlternativesProps, 'decide' | 'error'> {
  readonly of: string
  readonly isOther: boolean
  readonly value: string
}

/** Names of one's own: a list, or as JSON each with its meaning. */
function Names({ of, isOther, value, decide, error }: NamesProps) {
  const [text, setText] = useState(value)
  const submit = (): void => decide(namesIn(text))
  return (
    <Form label={`Other names for ${of}`} error={error} submit={submit}>
      <div class="row steer-line">
        <Input
          label={`Other names, in this order${isOther ? ' (as decided)' : ''}`}
          name={of}
          value={text}
          set={setText}
          error={error}
        />
        <button type="submit">Decide</button>
      </div>
    </Form>
  )
}

function namesIn(text: string): unknown {
  try {
    if (text.trim().startsWith('{')) return JSON.parse(text)
  } catch {
    return text
  }
  return text.split(',').map((name) => name.trim())
}
