import { useState } from 'preact/hooks'

import type { FaultInput } from '../../../../control/faults/input.ts'
import type { Call } from '../../../calls.ts'
import { Card } from '../../../parts/card.tsx'
import { Problem } from '../../../parts/problem.tsx'
import { Select } from '../../../parts/select.tsx'
import { useChange } from '../../../parts/use-change.ts'
import { Curls } from '../curls.tsx'
import { OperationSelect } from './operation-select.tsx'

interface QuickFault {
  /** What happens to one call, and to several. */
  readonly one: string
  readonly several: string
  readonly hint: string
  readonly effect: FaultInput
}

const quickFaults: readonly QuickFault[] = [
  { one: 'fails with 503', several: 'fail with 503', hint: 'Service unavailable', effect: { status: 503 } },
  {
    one: 'fails with 429',
    several: 'fail with 429',
    hint: 'Too many requests, Retry-After: 5',
    effect: { status: 429, retryAfterSeconds: 5 },
  },
  { one: 'fails with 500', several: 'fail with 500', hint: 'Internal error', effect: { status: 500 } },
  {
    one: 'gets no answer',
    several: 'get no answer',
    hint: 'Until the client gives up',
    effect: { malfunction: 'hang' },
  },
  {
    one: 'is cut off',
    several: 'are cut off',
    hint: 'Connection reset',
    effect: { malfunction: 'reset' },
  },
  {
    one: 'takes 3 s longer',
    several: 'take 3 s longer',
    hint: 'Then the real answer',
    effect: { delayMs: 3_000 },
  },
]

/** Which calls it happens to, by how many. */
const subjects: Readonly<Record<string, string>> = {
  '1': 'Next call',
  '2': 'Next 2 calls',
  '3': 'Next 3 calls',
  '10': 'Next 10 calls',
  '': 'All calls',
}

/** Makes the next calls go wrong, by one click. */
export function QuickFaults() {
  const [times, setTimes] = useState('1')
  const [operationId, setOperationId] = useState('')
  const { make, error } = useChange()
  const aim = operationId === '' ? '' : ` to ${operationId}`
  const offers = quickFaults.map(({ one, several, hint, effect }) => ({
    text: `${subjects[times]} ${times === '1' ? one : several}`,
    hint,
    call: callOf({
      ...(operationId !== '' && { operationId }),
      ...effect,
      ...(times !== '' && { times: Number(times) }),
    }),
  }))
  return (
    <Card title="Make it go wrong">
      <div class="row">
        <Select label="Which calls" value={times} set={setTimes} options={subjects} />
        <OperationSelect label="To which operation" value={operationId} set={setOperationId} />
      </div>
      <div class="fault-tiles">
        {offers.map(({ text, hint, call }) => (
          <button
            key={hint}
            type="button"

            onClick={() => void make(call, `Set: ${text}${aim}.`)}
          >
            <strong>{text}</strong>
            <small>{hint}</small>
          </button>
        ))}
      </div>
      <Problem error={error} />
      <Curls calls={Object.fromEntries(offers.map(({ text, call }) => [`${text}${aim}`, call]))} />
    </Card>
  )
}

const callOf = (body: FaultInput): Call => ({ method: 'POST', path: '/_sandbox/faults', body })
