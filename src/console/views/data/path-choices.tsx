import { place, setQuery } from '../../place.ts'
import type { ListOperation } from './contract.ts'
import { DraftInput } from './draft-input.tsx'
import { type AnyRecord, findCollection, isRecord, getLabel } from './labels.ts'
import { useRecords } from './use-records.ts'

/** The most records to offer in a select. */
const LISTED = 100

/** Renders selects for an operation's path parameters. */
export function PathChoices({ choices }: { readonly choices: readonly PathChoice[] }) {
  return choices.map((choice) => <Choice key={choice.name} {...choice} all={choices} />)
}

interface ChoiceProps extends PathChoice {
  readonly all: readonly PathChoice[]
}

function Choice({ name, value = '', options, isAll, all }: ChoiceProps) {
  const choose = (chosen: string): void => {
    // Later parameters depend on this one.
    const behind = all.slice(all.findIndex((other) => other.name === name) + 1)
    const changes = behind.map((other) => [other.name, undefined] as const)
    setQuery({ ...Object.fromEntries(changes), offset: undefined, [name]: chosen || undefined })
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
          {!isKnown && <option value={value}>{value || 'none'}</option>}
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

/** The values of one path parameter. */
export interface PathChoice {
  readonly name: string
  /** The current value; undefined if there is no value to choose. */
  readonly value: string | undefined
  /** Order: as the service lists them; undefined until loaded. */
  readonly options: readonly Option[] | undefined
  /** Whether the options are complete. */
  readonly isAll: boolean
}

interface Option {
  readonly value: string
  readonly label: string
}

/** Resolves an operation's path parameters, from the URL or else the first option. Order: as in the path. */
export function usePathValues(
  operation: ListOperation,
  organizationId: string | undefined,
  collections: readonly string[],
): readonly PathChoice[] {
  const { pathNames } = operation
  const named = pathNames.flatMap((name) => findCollection(name, collections) ?? [])
  const records = useRecords(named, organizationId)
  const { query } = place.value
  const choices: PathChoice[] = []
  for (const name of pathNames) {
    const collection = findCollection(name, collections)
    const known = collection === undefined ? undefined : records.get(collection)
    const options =
      collection === undefined
        ? listParts(records.get('automations')?.items, choices, name)
        : known?.items.filter((record) => hasParts(record, pathNames)).map(toOption)
    const value = query.get(name) ?? options?.[0]?.value
    choices.push({ name, value, options, isAll: known?.isAll ?? true })
  }
  return choices
}

const toOption = (record: AnyRecord): Option => {
  const value = String(record['id'])
  const label = getLabel(record)
  return { value, label: label === value ? value : `${value} · ${label}` }
}

/** Lists the triggers or actions of the selected automation. */
function listParts(
  automations: readonly AnyRecord[] | undefined,
  chosen: readonly PathChoice[],
  name: string,
): readonly Option[] | undefined {
  const id = chosen.find((choice) => choice.name === 'automationId')?.value
  const parts: unknown = automations?.find((record) => String(record['id']) === id)?.[getPartsField(name)]
  if (!Array.isArray(parts)) return automations && []
  return parts.filter(isRecord).map(toOption)
}

/** Reports whether a record has the triggers or actions that the path names. */
function hasParts(record: AnyRecord, pathNames: readonly string[]): boolean {
  return pathNames.every((name) => {
    const parts = record[getPartsField(name)]
    return !Array.isArray(parts) || parts.length > 0
  })
}

/** Returns `triggers` for `triggerId`. */
const getPartsField = (name: string): string => `${name.replace(/Id$/, '')}s`
