import { useState } from 'preact/hooks'

import type { Call } from '../../../calls.ts'
import { AsCurl } from '../../../parts/as-curl.tsx'
import { Card } from '../../../parts/card.tsx'
import { elsewhere } from '../../../parts/field-errors.ts'
import { Form } from '../../../parts/form.tsx'
import { Input } from '../../../parts/input.tsx'
import { Problem } from '../../../parts/problem.tsx'
import { Select } from '../../../parts/select.tsx'
import { useChange } from '../../../parts/use-change.ts'
import { turnTo } from '../../../place.ts'
import type { ListedSession } from '../../../session-switch.tsx'
import { jsonIn, pairsIn, saidIn } from '../entered.ts'

interface Draft {
  readonly name: string
  readonly id: string
  readonly from: string
  readonly now: string
  /** One a line, as `errorFormat=error`. */
  readonly assumptions: string
}

const origins = { '': 'the dataset', default: 'a copy of default' }

const empty: Draft = { name: '', id: '', from: '', now: '', assumptions: '' }

/** Opens a session. */
export function OpenForm({ sessions }: { readonly sessions: readonly ListedSession[] }) {
  const [draft, setDraft] = useState(empty)
  const [isShown, setShown] = useState(true)
  const { make, error } = useChange()
  const copies = sessions.map(({ id, name }) => [id, `a copy of ${name ?? id}`] as const)
  const call: Call = { method: 'POST', path: '/_sandbox/sessions', body: inputOf(draft) }
  const field = (name: keyof Draft) => ({
    name,
    value: draft[name],
    set: (value: string) => setDraft((before) => ({ ...before, [name]: value })),
    error,
  })
  const submit = async (): Promise<void> => {
    const isOpen = await make<ListedSession>(call, ({ id }) => {
      if (isShown) turnTo(id)
      return isShown ? `Opened ${id}, which is shown now.` : `Opened ${id}.`
    })
    if (isOpen) setDraft(empty)
  }
  return (
    <Card title="Open a session">
      <Form label="Open a session" error={error} submit={submit}>
        <div class="steer-fields">
          <Input {...field('name')} label="Name" placeholder="none" />
          <Input {...field('id')} label="Id" placeholder="the next free one" />
          <Select
            {...field('from')}
            label="Starts as"
            options={{ ...origins, ...Object.fromEntries(copies) }}
          />
          <Input {...field('now')} label="Now (UTC)" placeholder="as it starts" />
          <div class="steer-wide">
            <Input
              {...field('assumptions')}
              label="Assumptions"
              rows={2}
              placeholder={'errorFormat=error\ncreateStatus=201'}
              hint="By name, one a line; lists as in JSON."
            />
          </div>
        </div>
        <Problem error={elsewhere(error, Object.keys(empty))} />
        <p class="row">
          <button type="submit" class="primary">
            Open
          </button>
          <label>
            <input
              type="checkbox"
              checked={isShown}
              onChange={({ currentTarget }) => setShown(currentTarget.checked)}
            />{' '}
            and show it here
          </label>
        </p>
        <AsCurl call={call} />
      </Form>
    </Card>
  )
}

function inputOf({ assumptions, ...texts }: Draft): object {
  const settings = pairsIn(assumptions, '=').map(([name, value]) => [name, jsonIn(value)] as const)
  return saidIn({
    ...texts,
    assumptions: settings.length > 0 ? Object.fromEntries(settings) : undefined,
  })
}
