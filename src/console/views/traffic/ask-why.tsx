import { useState } from 'preact/hooks'

import type { ExplainedCondition } from '../../../explain/conditions.ts'
import type { Explanation } from '../../../explain/explain.ts'
import type { RequestSummary } from '../../../journal/view.ts'
import { read } from '../../calls.ts'
import { prepare, routes } from '../../client.ts'
import { MemberSelect } from '../../components/member-select.tsx'
import { Problem } from '../../components/problem.tsx'
import { getTarget } from './filter.ts'

interface AskWhyProps {
  readonly request: RequestSummary
  readonly token: string
  /** Whether the token belongs to the request's caller. */
  readonly isCallers: boolean
}

/** Renders a form that explains why a record is, or is not, in a response. */
export function AskWhy({ request, token, isCallers }: AskWhyProps) {
  const [id, setId] = useState('')
  const [found, setFound] = useState<{ readonly value?: Explanation; readonly error?: unknown }>({})
  const isList = request.operationId?.startsWith('list') === true
  const call = prepare('post', routes.explain, {
    json: { path: getTarget(request), token, ...(id !== '' && { id: Number(id) }) },
  })
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    try {
      setFound({ value: await read(call) })
    } catch (error) {
      setFound({ error })
    }
  }
  return (
    <section class="request-part">
      <h3>Explain</h3>
      <form class="row" onSubmit={(event) => void submit(event)}>
        {!isCallers && <MemberSelect label="As" />}
        {isList && (
          <label class="field">
            Record id{' '}
            <input
              class="request-record"
              inputMode="numeric"
              pattern="[0-9]{1,15}"
              value={id}
              onInput={({ currentTarget }) => setId(currentTarget.value)}
            />
          </label>
        )}
        <button type="submit">
          {isList ? 'Why is it in the response, or why not?' : 'Why this response?'}
        </button>
      </form>
      <div aria-live="polite">{found.value && <Explained explanation={found.value} />}</div>
      <Problem error={found.error} />
    </section>
  )
}

function Explained({ explanation }: { readonly explanation: Explanation }) {
  const { summary, conditions, included, warnings } = explanation
  return (
    <>
      <p class="request-summary">
        {included !== undefined && (
          <span class={included ? 'tag good' : 'tag warn'}>{included ? 'included' : 'not included'}</span>
        )}{' '}
        {summary}
      </p>
      <ol class="request-conditions">
        {conditions.map((condition) => (
          <Condition key={condition.name + condition.text} condition={condition} />
        ))}
      </ol>
      {warnings.map((warning) => (
        <p key={warning}>
          <span class="tag warn">warning</span> {warning}
        </p>
      ))}
      <p class="hint">Based on the current data, clock and assumptions, without faults.</p>
    </>
  )
}

const marks = {
  holds: { class: 'tag good', text: 'holds' },
  fails: { class: 'tag bad', text: 'does not hold' },
} as const

function Condition({ condition }: { readonly condition: ExplainedCondition }) {
  const { name, holds, text, asked, found, alone, left } = condition
  const mark = holds === undefined ? undefined : marks[holds ? 'holds' : 'fails']
  return (
    <li>
      <p>
        <strong>{name}</strong> {mark && <span class={mark.class}>{mark.text}</span>} {text}
      </p>
      <p class="hint">
        {asked !== undefined && (
          <span>
            requested <code>{JSON.stringify(asked)}</code>
          </span>
        )}
        {found !== undefined && (
          <span>
            found <code>{JSON.stringify(found)}</code>
          </span>
        )}
        {alone !== undefined && <span>{alone} match</span>}
        {left !== undefined && <span>{left} left</span>}
      </p>
    </li>
  )
}
