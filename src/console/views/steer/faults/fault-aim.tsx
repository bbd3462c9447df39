import { Select } from '../../../parts/select.tsx'
import type { DraftProps } from './fault-form.tsx'
import { FaultInput } from './fault-input.tsx'
import { OperationSelect } from './operation-select.tsx'
import { useOperations } from './operations.ts'

/** Which requests a fault is for. */
export function FaultAim({ draft, set, error }: DraftProps) {
  const aimedAt = useOperations().filter(({ id }) => draft.operationId === '' || id === draft.operationId)
  const methods = aimedAt.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return (
    <fieldset class="steer-fields">
      <legend>Which requests</legend>
      <OperationSelect
        label="Operation"
        value={draft.operationId}
        set={(operationId) => set({ operationId, method: '', path: '' })}
      />
      <Select
        label="Method"
        value={draft.method}
        set={(method) => set({ method })}
        options={{ '': 'any method', ...Object.fromEntries(methods.map((method) => [method, method])) }}
      />
      <div class="steer-wide">
        <FaultInput
          draft={draft}
          set={set}
          error={error}
          of="path"
          label="Path"
          placeholder="any path"
          proposals={[...new Set(aimedAt.map(({ path }) => path))]}
          hint="As in the document; {customerId} stands for any value, 12 for itself."
        />
      </div>
    </fieldset>
  )
}
