import { loadFixture } from '../../../seed/dataset/content.ts'
import { importSequentially } from '../../core/import-sequentially.ts'
import type { Dataset } from '../../store/dataset.ts'
import { SessionData } from '../../store/session-data.ts'
import { Moments } from './moments.ts'

/** Loads the events after a dataset's time. Records of its fixture stand still, unless the fixture lets them live. */
export async function loadMoments(dataset: Dataset): Promise<Moments> {
  const { key } = dataset
  const [{ createFuture }, { records, timeline }] = await Promise.all([
    importSequentially(() => import('../../../seed/index.ts')),
    loadFixture(key.fixture, key.fixtureContent),
    dataset.complete(),
  ])
  const data = new SessionData(() => dataset)
  const future = createFuture({
    seed: key.seed,
    now: key.now,
    data,
    draft: data.draft(),
    rows: dataset.rows,
    isStatic: (table, id) => {
      const record = records[table].get(id)
      return record !== undefined && record.lives !== true
    },
    timeline,
    fixture: key.fixture,
  })
  return new Moments(dataset, future)
}
