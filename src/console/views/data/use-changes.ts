import type { RecordChange } from '../../../control/data/data.ts'
import { useAnswer } from '../../parts/use-answer.ts'

/** What was changed in a session. */
export interface Changed {
  /** Order: by collection, then as first changed. */
  readonly items: readonly RecordChange[]
  readonly totalCount: number
}

/** What the page's session has changed; undefined until that is known. */
export const useChanges = (): Changed | undefined =>
  useAnswer<Changed>({ path: '/_sandbox/data/changes' }).value
