import defaultJson from '../fixtures/default.json' with { type: 'json' }
import edgeCasesJson from '../fixtures/edge-cases.json' with { type: 'json' }
import emptyJson from '../fixtures/empty.json' with { type: 'json' }
import { isFixturePath } from '../src/contract/fields.ts'
import { SandboxError } from '../src/core/errors.ts'
import { didYouMean } from '../src/core/nearest.ts'
import { readFixtureFile } from './fixture-file.ts'
import { type Fixture, extendFixture, nothing } from './fixture-layers.ts'

const builtin = new Map<string, Parameters<typeof readFixtureFile>[0]>([
  ['default', defaultJson],
  ['edge-cases', edgeCasesJson],
  ['empty', emptyJson],
])

/** The names of the builtin fixtures. */
export const fixtureNames: readonly string[] = [...builtin.keys()]

/** Reads a builtin fixture. Errors: `invalid_request` for an unknown name; it suggests a similar one. */
export function fixtureNamed(name: string): Fixture {
  const json = builtin.get(name)
  if (json === undefined) {
    const message = isFixturePath(name)
      ? 'it is a path, and files are not read here. Give the content of the file as the fixture, or use `npx workspace-sandbox reseed --fixture`.'
      : `there is no fixture of that name. ${didYouMean(name, fixtureNames)}`
    const errors = [{ in: 'body' as const, name: 'fixture', message }]
    throw new SandboxError('invalid_request', `Cannot load fixture ${name}: ${message}`, { errors })
  }
  const file = readFixtureFile(json, json, name)
  return extendFixture(file.extends ? fixtureNamed(file.extends) : nothing, file)
}
