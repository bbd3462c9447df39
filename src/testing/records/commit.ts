import { SandboxError } from '../../core/errors.ts'
import { readInSlices, runInSlices, type Steps, withinSlice } from '../../core/slices.ts'
import type { SessionData } from '../../store/session-data.ts'
import { Stage } from './stage.ts'

/** Commits what a change stages, in one step. */
export async function commit<R>(data: SessionData, change: (stage: Stage) => R): Promise<R> {
  const decide = () => {
    const stage = new Stage(data, () => data.dataset)
    const result = change(stage)
    return { changes: stage.commit(), result }
  }
  return readInSlices(() => data.change(() => withinSlice(decide)))
}

class Outdated extends Error {}

/** The number of records up to which they are written in one slice. */
const AT_ONCE = 10

/** Commits records. Many are prepared in slices, unless the session changes meanwhile. */
export async function commitRecords<R>(
  data: SessionData,
  count: number,
  change: (stage: Stage, isRehearsal?: boolean) => Steps<R>,
): Promise<R> {
  const commitAtOnce = () => commit(data, (stage) => runAtOnce(change(stage)))
  if (count <= AT_ONCE) return commitAtOnce()
  const { dataset, revision } = data
  const createStage = (): Stage => new Stage(data, () => data.dataset)
  // A few records need most of the rows that may have to be generated. What is wrong with them is found again.
  try {
    await readInSlices(() => runAtOnce(change(createStage(), true)))
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
  }
  const stage = createStage()
  const result = await runInSlices(change(stage))
  try {
    return await data.change(() => {
      if (data.revision !== revision || data.dataset !== dataset) throw new Outdated()
      return { changes: stage.commit(), result }
    })
  } catch (error) {
    if (error instanceof Outdated) return commitAtOnce()
    throw error
  }
}

function runAtOnce<R>(steps: Steps<R>): R {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
