import { importInTurn } from '../src/contract/import-in-turn.ts'
import type { Fixture } from './fixture-layers.ts'
import { type DatasetContent, readyMade } from './ready-made.ts'

/** The inputs of a dataset. */
export interface DatasetSource {
  readonly seed: number
  readonly size: number
  /** The name of a builtin fixture, or of the user's own. */
  readonly fixture: string
  /** The user's own fixture. */
  readonly fixtureContent?: unknown
  /** Units: ISO 8601. */
  readonly now: string
}

/** Loads a ready-made dataset, or loads the generators and generates it. Errors: as `generate`. */
export async function contentOf(source: DatasetSource): Promise<DatasetContent> {
  const { fixture: name, fixtureContent, ...rest } = source
  const ready = fixtureContent === undefined ? readyMade.get(sourceText(source)) : undefined
  if (ready) return ready()
  const [{ generate }, fixture] = await Promise.all([
    importInTurn(() => import('./index.ts')),
    loadFixture(name, fixtureContent),
  ])
  return generate({ ...rest, fixture })
}

/** Loads a builtin fixture, or reads the user's own. Errors: `invalid_request`. */
export async function loadFixture(name: string, content: unknown): Promise<Fixture> {
  const [{ parseFixture }, { fixtureNamed }] = await Promise.all([
    importInTurn(() => import('./fixture.ts')),
    importInTurn(() => import('./fixtures.ts')),
  ])
  return content === undefined ? fixtureNamed(name) : parseFixture(content, name)
}

/** Creates a key that is unique among sources without a fixture of the user's own. */
export const sourceText = ({ seed, size, fixture, now }: DatasetSource): string =>
  JSON.stringify([seed, size, fixture, now])
