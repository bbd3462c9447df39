import type { Health } from '../../../../control/host.ts'
import { Problem } from '../../../parts/problem.tsx'
import { useAnswer } from '../../../parts/use-answer.ts'
import { ReseedCard } from './reseed-card.tsx'
import { ResetCard } from './reset-card.tsx'

/** The dataset: back to its first moment, or another one. */
export function DatasetPage() {
  const { value: health, error } = useAnswer<Health>({ path: '/_sandbox/health' })
  return (
    <>
      <Problem error={error} />
      <div class="columns">
        <ResetCard health={health} />
        <ReseedCard health={health} />
      </div>
    </>
  )
}
