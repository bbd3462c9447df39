import type { ExplainedCondition, Explanation } from '../../../lab/explain/schemas.ts'
import { prepare, routes } from '../../client.ts'
import { Input } from '../../components/form.tsx'
import { plural } from '../../components/format.tsx'
import { Loaded, RequestLink } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { param, setQuery } from '../../place.ts'

/** Renders why a recorded response is as it is, or why a record is, or is not, in it. */
export function Why({ requestId, isRead }: { requestId: number; isRead: boolean }) {
  const text = param('record')
  const record = isRead && /^\d{1,15}$/.test(text) ? { id: Number(text) } : {}
  const state = useRead(prepare('post', routes.explain, { json: { requestId, ...record } }))
  return (
    <section aria-label="Why" aria-live="polite">
      {isRead && (
        <Input
          label="Why is, or is not, this record in the response?"
          name="record"
          value={text}
          set={(id) => setQuery({ record: id.trim() })}
          placeholder="its id"
        />
      )}
      <Loaded state={state}>{(explanation) => <Reasons explanation={explanation} />}</Loaded>
    </section>
  )
}

function Reasons({ explanation }: { explanation: Explanation }) {
  const { requestId, summary, conditions, causes = [], now } = explanation
  const others = new Set(causes.flatMap((cause) => cause.requestId ?? []))
  const isSame = JSON.stringify(conditions) === JSON.stringify(now?.conditions)
  return (
    <>
      <p>
        {summary} {[...others].map((id) => id !== requestId && <RequestLink key={id} id={id} />)}
      </p>
      <Conditions label={isSame ? 'Conditions' : 'Conditions then'} conditions={conditions} />
      {now && !isSame && <Conditions label="Conditions now" conditions={now.conditions} />}
    </>
  )
}

function Conditions({ label, conditions }: { label: string; conditions: readonly ExplainedCondition[] }) {
  if (conditions.length === 0) return null
  return (
    <details>
      <summary>
        {label} ({conditions.length})
      </summary>
      <ol class="list is-lined">
        {conditions.map(({ name, holds, text, matchesSoFar }) => (
          <li key={name + text}>
            {holds !== undefined && (
              <span class={holds ? 'tag good' : 'tag bad'}>{holds ? 'holds' : 'does not hold'}</span>
            )}{' '}
            {text}{' '}
            {holds !== undefined && matchesSoFar !== undefined && (
              <span class="hint">{plural(matchesSoFar, 'record')} up to here</span>
            )}
          </li>
        ))}
      </ol>
    </details>
  )
}
