import type { OrganizationRow } from '../src/store/rows.ts'
import { forEachTable, type TableName } from '../src/store/tables.ts'
import type { FixtureFile, FixtureRecord, FixtureRecords } from './fixture-file.ts'

/** Hand-written records that are laid over the generated ones, with those of the fixture that they extend. */
export interface Fixture {
  readonly name: string
  /** Says whether customers are generated beside its own. */
  readonly generated: boolean
  /** Says that its own records are all there is, each of them whole. */
  readonly isComplete: boolean
  readonly organizations: readonly OrganizationRow[]
  readonly records: FixtureRecords
}

/** What a fixture is laid over that extends none. */
export const nothing: Fixture = {
  name: 'nothing',
  generated: false,
  isComplete: false,
  organizations: [],
  records: forEachTable<FixtureRecords>(() => new Map()),
}

/** Lays a file over a fixture: its records over those with the same id, field by field. */
export function laidOver(base: Fixture, file: FixtureFile): Fixture {
  return {
    name: file.name,
    generated: file.generated ?? base.generated,
    isComplete: file.isComplete,
    organizations: organizationsOf(base, file),
    records: forEachTable<FixtureRecords>((table) => merged(base.records[table], file.records[table])),
  }
}

type Records<T extends TableName> = ReadonlyMap<number, FixtureRecord<T>>

function merged<T extends TableName>(base: Records<T>, file: Records<T>): Records<T> {
  const records = new Map(base)
  for (const [id, { place, given }] of file) {
    records.set(id, { place, given: { ...records.get(id)?.given, ...given } })
  }
  return records
}

function organizationsOf(base: Fixture, file: FixtureFile): OrganizationRow[] {
  const names = new Map(base.organizations.map(({ id, name }) => [id, name] as const))
  for (const { id, name } of file.organizations) names.set(id, name ?? names.get(id) ?? id)
  return [...names].map(([id, name]) => ({ id, name }))
}
