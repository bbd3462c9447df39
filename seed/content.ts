import { importInTurn } from '../src/contract/import-in-turn.ts'
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
  const [{ generate }, { parseFixture }, { fixtureNamed }] = await Promise.all([
    importInTurn(() => import('./index.ts')),
    importInTurn(() => import('./fixture.ts')),
    importInTurn(() => import('./fixtures.ts')),
  ])
  const fixture = fixtureContent === undefined ? fixtureNamed(name) : parseFixture(fixtureContent, name)
  return generate({ ...rest, fixture })
}

/** Creates a key that is unique among sources without a fixture of the user's own. */
export const sourceText = ({ seed, size, fixture, now }: DatasetSource): string =>
  JSON.stringify([seed, size, fixture, now])
