import defaultJson from '../fixtures/default.json' with { type: 'json' }
import edgeCasesJson from '../fixtures/edge-cases.json' with { type: 'json' }
import emptyJson from '../fixtures/empty.json' with { type: 'json' }
import { SandboxError } from '../src/contract/errors.ts'
import { didYouMean } from '../src/contract/nearest.ts'
import { fixtureFileOf } from './fixture-file.ts'
import { type Fixture, laidOver, nothing } from './fixture-layers.ts'

const builtin = new Map<string, Parameters<typeof fixtureFileOf>[0]>([
  ['default', defaultJson],
  ['edge-cases', edgeCasesJson],
  ['empty', emptyJson],
])

/** The names of the fixtures that come with the sandbox. */
export const fixtureNames: readonly string[] = [...builtin.keys()]

/** A fixture that comes with the sandbox. Errors: `invalid_request` that names the nearest, for an unknown name. */
export function fixtureNamed(name: string): Fixture {
  const json = builtin.get(name)
  if (json === undefined) {
    const message = `there is no fixture of that name. ${didYouMean(name, fixtureNames)}`
    const errors = [{ in: 'body' as const, name: 'fixture', message }]
    throw new SandboxError('invalid_request', `Cannot load fixture ${name}: ${message}`, { errors })
  }
  const file = fixtureFileOf(json, json, name)
  return laidOver(file.extends ? fixtureNamed(file.extends) : nothing, file)
}
