import { didYouMean } from '../src/core/nearest.ts'
import { fixtureError } from './fixture-errors.ts'
import { parseFixtureFile } from './fixture-file.ts'
import { type Fixture, extendFixture, nothing } from './fixture-layers.ts'
import { fixtureNamed, fixtureNames } from './fixtures.ts'

/**
 * Reads a user's own fixture and the builtin one that it extends, by default `default`.
 * Errors: `invalid_request` with "Cannot load fixture two-teams: signals[3].status must be one of …. Correct it."
 * References are validated when the dataset is generated, because they may refer to generated records.
 */
export function parseFixture(json: unknown, name: string): Fixture {
  const file = parseFixtureFile(json, name)
  const base = file.extends === undefined && !file.isComplete ? 'default' : (file.extends ?? null)
  if (base !== null && !fixtureNames.includes(base)) {
    const message = `${base} is not a builtin fixture`
    throw fixtureError(name, { path: 'extends', message, remedy: didYouMean(base, fixtureNames) })
  }
  const fixture = extendFixture(base === null ? nothing : fixtureNamed(base), file)
  if (fixture.organizations.length === 0) {
    throw fixtureError(name, { path: 'organizations', message: 'is empty', remedy: 'Add one' })
  }
  return fixture
}
