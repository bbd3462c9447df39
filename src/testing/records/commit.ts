import { SandboxError } from '../../core/errors.ts'
import { readInSlices, runInSlices, type Steps, withinSlice } from '../../core/slices.ts'
import { stopwatch } from '../../core/system-clock.ts'
import { checkReferences } from '../../store/references.ts'
import type { SessionData } from '../../store/session-data.ts'
import { prepareRow } from '../../store/tables.ts'
import { type ReservedIds, Stage } from './stage.ts'

class Outdated extends Error {}

/** How long a change may take that is made again in one step. Units: milliseconds. */
const PATIENCE_MS = 20

const MAX_ATTEMPTS = 10

/**
 * Commits what a change stages. It is prepared in slices; if other writes contradict it meanwhile, it is made again: in one
 * step if it is short, else in slices.
 * Errors: those of the change; conflict if other writes contradict it each time.
 */
export const commit = <R>(data: SessionData, change: (stage: Stage) => Steps<R>): Promise<R> =>
  data.holdIds(async () => {
    const reserved: ReservedIds = new Map()
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const prepared = await runInSlices(() => prepare(data, change, reserved))
      const { stage, revision } = prepared
      const decide = () => (isValid(stage, revision, data) ? prepared : makeBriefly(data, change, reserved))
      try {
        return await readInSlices(() => data.change(() => withinSlice(decide)))
      } catch (error) {
        if (!(error instanceof Outdated)) throw error
      }
    }
    const fact = 'other writes to the session have contradicted it each time that it was prepared'
    throw new SandboxError('conflict', `Cannot make the change: ${fact}. Try again, with fewer records.`)
  })

function* prepare<R>(data: SessionData, change: (stage: Stage) => Steps<R>, reserved: ReservedIds) {
  const { dataset, revision } = data
  const stage = new Stage(data, () => dataset, reserved)
  const result = yield* change(stage)
  const changes = stage.listChanges()
  for (const one of changes) {
    prepareRow(one)
    yield
  }
  return { revision, stage, changes, result }
}

/** Reports whether a change is still valid: since its revision, records were at most created, and none contradicts it. */
function isValid(stage: Stage, revision: number, data: SessionData): boolean {
  if (data.dataset !== stage.data.dataset) return false
  const commits = data.history.listBetween(revision, data.revision) ?? [undefined]
  return commits.every((one) =>
    one?.rows.every(({ table, id, before, after, replaced }) => {
      const isCreated = before === undefined && replaced === undefined && after !== undefined
      return isCreated && !stage.data.isTaken(table, id) && checkReferences(table, after, stage).length === 0
    }),
  )
}

function makeBriefly<R>(data: SessionData, change: (stage: Stage) => Steps<R>, reserved: ReservedIds) {
  const endMs = stopwatch() + PATIENCE_MS
  const steps = prepare(data, change, reserved)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    if (stopwatch() >= endMs) throw new Outdated()
  }
}
