import type { RecordChange, RecordCounts } from '../../../control/data/data.ts'
import { Problem } from '../../parts/problem.tsx'
import { useChange } from '../../parts/use-change.ts'
import { addressOf, place, show } from '../../place.ts'
import { countsText, singular } from './words.ts'

/** What came of taking changes back. */
export interface Undone {
  readonly undone: RecordCounts
}

/** Takes a change back: the record is again as in the dataset. */
export function Undo({ change }: { readonly change: RecordChange }) {
  const { collection, id, kind } = change
  const { make, isBusy, error } = useChange()
  const undo = async (): Promise<void> => {
    const path = `/_sandbox/data/changes/${collection}/${id}`
    const isUndone = await make<Undone>(
      { method: 'DELETE', path },
      ({ undone }) => `Taken back: ${countsText(undone)}.`,
    )
    // What was created is gone then, and with it its page.
    const isShown = place.value.path.join('/') === `${collection}/${id}`
    if (isUndone && kind === 'created' && isShown) show(addressOf('data', [collection]), 'replace')
  }
  return (
    <>
      <button
        type="button"
        class="small"
        disabled={isBusy}
        aria-label={`Undo: ${singular(collection)} ${id} was ${kind}`}
        onClick={() => void undo()}
      >
        Undo
      </button>
      <Problem error={error} />
    </>
  )
}
