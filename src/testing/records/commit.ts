import { readInSlices, runAtOnce, runInSlices, type Steps, withinSlice } from '../../core/slices.ts'
import { checkRows } from '../../store/change.ts'
import { estimateSize } from '../../store/overlay.ts'
import type { SessionData } from '../../store/session-data.ts'
import type { Change } from '../../store/tables.ts'
import { Stage } from './stage.ts'

class Outdated extends Error {}

/** Commits what a change stages. It is prepared in slices, and made again in one step if the session changes meanwhile. */
export async function commit<R>(data: SessionData, change: (stage: Stage) => Steps<R>): Promise<R> {
  const prepared = await runInSlices(function* prepare() {
    const { dataset, revision } = data
    const stage = new Stage(data, () => dataset)
    const result = yield* change(stage)
    const changes: Change[] = []
    for (const one of stage.listChanges()) {
      // The commit finds these kept.
      checkRows([one])
      estimateSize(one.row)
      changes.push(one)
      yield
    }
    return { dataset, revision, stage, changes, result }
  })
  try {
    return await data.change(() => {
      if (data.revision !== prepared.revision || data.dataset !== prepared.dataset) throw new Outdated()
      return { changes: prepared.stage.commit(prepared.changes), result: prepared.result }
    })
  } catch (error) {
    if (!(error instanceof Outdated)) throw error
    const decide = () => {
      const stage = new Stage(data, () => data.dataset)
      const result = runAtOnce(change(stage))
      return { changes: stage.commit(), result }
    }
    return readInSlices(() => data.change(() => withinSlice(decide)))
  }
}
