import { showWith } from '../../parts/query.ts'
import { DraftInput } from './draft-input.tsx'
import type { PathChoice } from './use-path-values.ts'

/** How many records a list to choose from has. */
const LISTED = 100

/** Chooses what an operation's path names. */
export function PathChoices({ choices }: { readonly choices: readonly PathChoice[] }) {
  return choices.map((choice) => <Choice key={choice.name} {...choice} all={choices} />)
}

interface ChoiceProps extends PathChoice {
  readonly all: readonly PathChoice[]
}

function Choice({ name, value = '', options, isAll, all }: ChoiceProps) {
  const choose = (chosen: string): void => {
    // What stands behind it in the path is of what was chosen before.
    const behind = all.slice(all.findIndex((other) => other.name === name) + 1)
    const changes = behind.map((other) => [other.name, undefined] as const)
    showWith({ ...Object.fromEntries(changes), offset: undefined, [name]: chosen || undefined })
  }
  const isLong = !isAll || (options?.length ?? 0) > LISTED
  const isKnown = options?.some((option) => option.value === value) ?? false
  return (
    <label class="field">
      {name}{' '}
      {isLong ? (
        <DraftInput value={value} commit={choose} list={`data-${name}`} isNumber />
      ) : (
        <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {!isKnown && <option value={value}>{value || 'there is none'}</option>}
          {options?.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
      {isLong && (
        <datalist id={`data-${name}`}>
          {options?.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </datalist>
      )}
    </label>
  )
}
