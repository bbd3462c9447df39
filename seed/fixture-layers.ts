import { forEachTable, type TableName } from '../src/store/tables.ts'
import type { OrganizationRow } from '../src/store/tables/members.ts'
import type { FixtureFile, FixtureRecord, FixtureRecords } from './fixture-file.ts'
import type { TimelineStep } from './fixture-timeline.ts'

/** Hand-written records that override generated ones, including those of the fixture that it extends. */
export interface Fixture {
  readonly name: string
  /** True if customers are generated in addition to its own. */
  readonly generated: boolean
  /** True if it has all records with all fields. */
  readonly isComplete: boolean
  readonly organizations: readonly OrganizationRow[]
  readonly records: FixtureRecords
  /** The events after the dataset's time in a living tenant. */
  readonly timeline: readonly TimelineStep[]
}

/** The base of a fixture that extends no other. */
export const nothing: Fixture = {
  name: 'nothing',
  generated: false,
  isComplete: false,
  organizations: [],
  records: forEachTable<FixtureRecords>(() => new Map()),
  timeline: [],
}

/** Extends a fixture by a file, whose records override those with the same id field by field. */
export function extendFixture(base: Fixture, file: FixtureFile): Fixture {
  return {
    name: file.name,
    generated: file.generated ?? base.generated,
    isComplete: file.isComplete,
    organizations: mergeOrganizations(base, file),
    records: forEachTable<FixtureRecords>((table) =>
      mergeRecords(base.records[table], file.records[table], file.lives),
    ),
    timeline: [...base.timeline, ...file.timeline],
  }
}

type Records<T extends TableName> = ReadonlyMap<number, FixtureRecord<T>>

function mergeRecords<T extends TableName>(
  base: Records<T>,
  file: Records<T>,
  allLive: boolean | undefined,
): Records<T> {
  const records = new Map(base)
  for (const [id, { place, given, lives: own }] of file) {
    const before = records.get(id)
    const lives = own ?? allLive ?? before?.lives
    const merged = { ...before?.given, ...given }
    records.set(id, { place, given: merged, ...(lives !== undefined && { lives }) })
  }
  return records
}

function mergeOrganizations(base: Fixture, file: FixtureFile): OrganizationRow[] {
  const names = new Map(base.organizations.map(({ id, name }) => [id, name] as const))
  for (const { id, name } of file.organizations) names.set(id, name ?? names.get(id) ?? id)
  return [...names].map(([id, name]) => ({ id, name }))
}
