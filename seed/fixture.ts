import { didYouMean } from '../src/contract/nearest.ts'
import { fixtureError } from './fixture-errors.ts'
import { parseFixtureFile } from './fixture-file.ts'
import { type Fixture, laidOver, nothing } from './fixture-layers.ts'
import { fixtureNamed, fixtureNames } from './fixtures.ts'

/**
 * Reads a user's own fixture, laid over the builtin one that it extends: `default` where it names none.
 * Errors: `invalid_request` with "Cannot load fixture two-teams: signals[3].status must be one of …. Correct it."
 * What a record refers to is checked when the dataset is generated, because generated records count as well.
 */
export function parseFixture(json: unknown, name: string): Fixture {
  const file = parseFixtureFile(json, name)
  const base = file.extends === undefined && !file.isComplete ? 'default' : (file.extends ?? null)
  if (base !== null && !fixtureNames.includes(base)) {
    const message = `${base} is no fixture that comes with the sandbox`
    throw fixtureError(name, { path: 'extends', message, remedy: didYouMean(base, fixtureNames) })
  }
  const fixture = laidOver(base === null ? nothing : fixtureNamed(base), file)
  if (fixture.organizations.length === 0) {
    throw fixtureError(name, { path: 'organizations', message: 'has none', remedy: 'Add one' })
  }
  return fixture
}
