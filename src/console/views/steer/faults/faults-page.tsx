import type { Fault } from '../../../../control/faults/faults.ts'
import { useAnswer } from '../../../parts/use-answer.ts'
import { usePulse } from '../pulse.ts'
import { FaultForm } from './fault-form.tsx'
import { FaultList } from './fault-list.tsx'
import { Profiles } from './profiles.tsx'
import { QuickFaults } from './quick-faults.tsx'

/** Faults: by one click, those in force, profiles, and one's own. */
export function FaultsPage() {
  const { value, error } = useAnswer<{ readonly items: readonly Fault[] }>(
    { path: '/_sandbox/faults' },
    usePulse(),
  )
  const faults = value?.items ?? []
  return (
    <>
      <QuickFaults />
      <FaultList faults={faults} error={error} />
      <div class="columns steer-gap">
        <Profiles faults={faults} />
        <FaultForm />
      </div>
    </>
  )
}
