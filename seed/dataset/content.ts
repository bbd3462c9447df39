import { importSequentially } from '../../src/core/import-sequentially.ts'
import { runInSlices } from '../../src/core/slices.ts'
import type { DatasetContent } from '../../src/store/tables.ts'
import type { Fixture } from '../fixtures/fixtures.ts'
import type { GenerationRequest } from './generate.ts'
import { cutDataset, loadReadyMade, readyMade } from './ready-made.ts'

export interface DatasetSource extends Omit<GenerationRequest, 'fixture'> {
  readonly fixture: string
  readonly fixtureContent?: unknown
}

export async function loadContent(source: DatasetSource): Promise<DatasetContent> {
  const { fixture: name, fixtureContent, ...rest } = source
  const text = formatSource(source)
  const ready = readyMade.find((made) => made.size >= source.size && made.source === text)
  // In a clone, the first `npm start` does not wait until the file is built.
  const dataset =
    ready && fixtureContent === undefined ? await loadReadyMade(ready).catch(() => undefined) : undefined
  if (dataset) return ready?.size === source.size ? dataset : cutDataset(dataset, source.size)
  const [{ generate }, fixture] = await Promise.all([
    importSequentially(() => import('../index.ts')),
    loadFixture(name, fixtureContent),
  ])
  return runInSlices(generate({ ...rest, fixture }))
}

export async function loadFixture(name: string, content: unknown): Promise<Fixture> {
  const fixtures = await importSequentially(() => import('../fixtures/fixtures.ts'))
  if (content === undefined) return fixtures.getBuiltinFixture(name)
  return runInSlices(fixtures.parseFixture(content, name))
}

export const formatSource = ({ seed, fixture, now }: DatasetSource): string =>
  JSON.stringify([seed, fixture, now])
