import { useState } from 'preact/hooks'

import type { FaultInput } from '../../../../faults/fault.ts'
import type { Call } from '../../../calls.ts'
import { prepare, routes } from '../../../client.ts'
import { Card } from '../../../components/card.tsx'
import { Select } from '../../../components/form.tsx'
import { Problem } from '../../../components/problem.tsx'
import { useChange } from '../../../components/use-calls.ts'
import { OperationSelect } from './operations.tsx'

interface QuickFault {
  /** The effect in words, for one call and for several. */
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
    one: 'gets no response',
    several: 'get no response',
    hint: 'Until the client times out',
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
    hint: 'Then responds normally',
    effect: { delayMs: 3_000 },
  },
]

/** The affected calls, by their number. */
const subjects: Readonly<Record<string, string>> = {
  '1': 'Next call',
  '2': 'Next 2 calls',
  '3': 'Next 3 calls',
  '10': 'Next 10 calls',
  '': 'All calls',
}

/** Renders buttons that each add a fault for the next calls. */
export function QuickFaults() {
  const [times, setTimes] = useState('1')
  const [operationId, setOperationId] = useState('')
  const { make, error } = useChange()
  const aim = operationId === '' ? '' : ` to ${operationId}`
  const offers = quickFaults.map(({ one, several, hint, effect }) => ({
    text: `${subjects[times]} ${times === '1' ? one : several}`,
    hint,
    call: addFault({
      ...(operationId !== '' && { operationId }),
      ...effect,
      ...(times !== '' && { times: Number(times) }),
    }),
  }))
  return (
    <Card title="Quick faults">
      <div class="row">
        <Select label="Calls" value={times} set={setTimes} options={subjects} />
        <OperationSelect label="Operation" value={operationId} set={setOperationId} />
      </div>
      <div class="fault-tiles">
        {offers.map(({ text, hint, call }) => (
          <button key={hint} type="button" onClick={() => void make(call, `Added: ${text}${aim}.`)}>
            <strong>{text}</strong>
            <small>{hint}</small>
          </button>
        ))}
      </div>
      <Problem error={error} />
    </Card>
  )
}

const addFault = (json: FaultInput): Call => prepare('post', routes.faults, { query: {}, json })
