import { prepare, routes } from '../../../client.ts'
import { useRead } from '../../../components/use-calls.ts'
import { useJournalRevision } from '../use-journal.ts'
import { FaultForm } from './fault-form.tsx'
import { FaultList } from './fault-list.tsx'
import { Profiles } from './profiles.tsx'
import { QuickFaults } from './quick-faults.tsx'

/** Renders quick faults, active faults, profiles and a form for custom ones. */
export function FaultsPage() {
  const { value, error } = useRead(prepare('get', routes.faults), useJournalRevision())
  const faults = value?.items ?? []
  return (
    <>
      <QuickFaults />
      <FaultList faults={faults} error={error} />
      <div class="columns control-gap">
        <Profiles faults={faults} />
        <FaultForm />
      </div>
    </>
  )
}
