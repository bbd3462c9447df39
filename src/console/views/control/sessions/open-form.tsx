import { useState } from 'preact/hooks'

import type { SessionInfo } from '../../../../sessions/open-session.ts'
import { prepare, routes, castBody } from '../../../client.ts'
import { Card } from '../../../components/card.tsx'
import { Form, Input, Select } from '../../../components/form.tsx'
import { Problem, omitFieldErrors } from '../../../components/problem.tsx'
import { useChange } from '../../../components/use-calls.ts'
import { switchSession } from '../../../place.ts'
import { parseJson, parsePairs, omitEmpty } from '../parse-input.ts'

interface Draft {
  readonly name: string
  readonly id: string
  readonly from: string
  readonly now: string
  /** One per line, as in `errorFormat=error`. */
  readonly assumptions: string
}

const origins = { '': 'the dataset', default: 'a copy of default' }

const empty: Draft = { name: '', id: '', from: '', now: '', assumptions: '' }

/** Renders a form that opens a session. */
export function OpenForm({ sessions }: { readonly sessions: readonly SessionInfo[] }) {
  const [draft, setDraft] = useState(empty)
  const [isShown, setShown] = useState(true)
  const { make, error } = useChange()
  const copies = sessions.map(({ id, name }) => [id, `a copy of ${name ?? id}`] as const)
  const call = prepare('post', routes.sessions, { json: castBody(toSessionInput(draft)) })
  const field = (name: keyof Draft) => ({
    name,
    value: draft[name],
    set: (value: string) => setDraft((before) => ({ ...before, [name]: value })),
    error,
  })
  const submit = async (): Promise<void> => {
    const isOpen = await make<SessionInfo>(call, ({ id }) => {
      if (isShown) switchSession(id)
      return isShown ? `Opened ${id} and switched to it.` : `Opened ${id}.`
    })
    if (isOpen) setDraft(empty)
  }
  return (
    <Card title="Open a session">
      <Form label="Open a session" error={error} submit={submit}>
        <div class="control-fields">
          <Input {...field('name')} label="Name" placeholder="optional" />
          <Input {...field('id')} label="Id" placeholder="generated" />
          <Select
            {...field('from')}
            label="Starts as"
            options={{ ...origins, ...Object.fromEntries(copies) }}
          />
          <Input {...field('now')} label="Now (UTC)" placeholder="default" />
          <div class="control-wide">
            <Input
              {...field('assumptions')}
              label="Assumptions"
              rows={2}
              placeholder={'errorFormat=error\ncreateStatus=201'}
              hint="One name=value per line. Write lists as JSON."
            />
          </div>
        </div>
        <Problem error={omitFieldErrors(error, Object.keys(empty))} />
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
            Switch to it
          </label>
        </p>
      </Form>
    </Card>
  )
}

function toSessionInput({ assumptions, ...texts }: Draft): object {
  const settings = parsePairs(assumptions, '=').map(([name, value]) => [name, parseJson(value)] as const)
  return omitEmpty({
    ...texts,
    assumptions: settings.length > 0 ? Object.fromEntries(settings) : undefined,
  })
}
