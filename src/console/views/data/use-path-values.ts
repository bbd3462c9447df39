import { place } from '../../place.ts'
import type { ListOperation } from './contract.ts'
import { useRecords } from './use-records.ts'
import { type AnyRecord, collectionOf, isRecord, labelOf } from './words.ts'

/** What one name of an operation's path can be. */
export interface PathChoice {
  readonly name: string
  /** What it is; undefined where there is nothing that it could be. */
  readonly value: string | undefined
  /** Order: as the service lists them; undefined until they are known. */
  readonly options: readonly Option[] | undefined
  /** Whether it can be nothing else. */
  readonly isAll: boolean
}

interface Option {
  readonly value: string
  readonly label: string
}

/** What an operation's path names: from the address, else the first that there is. Order: as in the path. */
export function usePathValues(
  operation: ListOperation,
  organizationId: string | undefined,
  collections: readonly string[],
): readonly PathChoice[] {
  const { pathNames } = operation
  const named = pathNames.flatMap((name) => collectionOf(name, collections) ?? [])
  const records = useRecords(named, organizationId)
  const { query } = place.value
  const choices: PathChoice[] = []
  for (const name of pathNames) {
    const collection = collectionOf(name, collections)
    const known = collection === undefined ? undefined : records.of(collection)
    const options =
      collection === undefined
        ? partsOf(records.of('automations')?.items, choices, name)
        : known?.items.filter((record) => suits(record, pathNames)).map(optionOf)
    const value = query.get(name) ?? options?.[0]?.value
    choices.push({ name, value, options, isAll: known?.isAll ?? true })
  }
  return choices
}

const optionOf = (record: AnyRecord): Option => {
  const value = String(record['id'])
  const label = labelOf(record)
  return { value, label: label === value ? value : `${value} · ${label}` }
}

/** A trigger or an action is one of the automation that is chosen. */
function partsOf(
  automations: readonly AnyRecord[] | undefined,
  chosen: readonly PathChoice[],
  name: string,
): readonly Option[] | undefined {
  const id = chosen.find((choice) => choice.name === 'automationId')?.value
  const parts: unknown = automations?.find((record) => String(record['id']) === id)?.[partName(name)]
  if (!Array.isArray(parts)) return automations && []
  return parts.filter(isRecord).map(optionOf)
}

/** Where the path names a trigger or an action, only who has one is offered. */
function suits(record: AnyRecord, pathNames: readonly string[]): boolean {
  return pathNames.every((name) => {
    const parts = record[partName(name)]
    return !Array.isArray(parts) || parts.length > 0
  })
}

/** As in `triggers` for `triggerId`. */
const partName = (name: string): string => `${name.replace(/Id$/, '')}s`
