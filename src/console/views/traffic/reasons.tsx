import type { ExplainedCondition } from '../../../explain/conditions.ts'
import type { Explanation } from '../../../explain/explain.ts'
import type { JournalEntry } from '../../../journal/view.ts'
import { prepare, routes } from '../../client.ts'
import { Button } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { setQuery } from '../../place.ts'
import type { Outcome } from './answer.ts'
import { TextLever } from './lever-panel.tsx'
import { move } from './levers.ts'
import { linkToRequest } from './listing.ts'

interface PickedRecordProps {
  readonly record: number | undefined
  readonly outcome: Outcome | undefined
}

/** Renders whether a record is in the response, and the moves that would change that. */
export function PickedRecord({ record, outcome }: PickedRecordProps) {
  const isIncluded = outcome?.explanation?.included
  const groups = [
    [isIncluded ? 'It would stay' : 'It would appear', true],
    [isIncluded ? 'It would be missing' : 'It would still be missing', false],
  ] as const
  return (
    <section aria-label="Record" class="what-if-record">
      <div class="row">
        <TextLever
          label="Record"
          value={record === undefined ? '' : `${record}`}
          set={(value) => setQuery({ record: value })}
          placeholder="any id"
        />
        {isIncluded !== undefined && (
          <span class={isIncluded ? 'tag good' : 'tag warn'}>{isIncluded ? 'included' : 'not included'}</span>
        )}
      </div>
      {groups.map(([title, seen]) => {
        const ways = outcome?.ways.filter(({ isSeen }) => isSeen === seen) ?? []
        return (
          ways.length > 0 && (
            <p class="row" key={title}>
              {title}{' '}
              {ways.map(({ label, levers }) => (
                <Button key={label} class={seen ? 'good' : 'bad'} run={() => move(levers)}>
                  {label}
                </Button>
              ))}
            </p>
          )
        )
      })}
    </section>
  )
}

interface ReasonsProps {
  /** The recorded request, whose own reasons are shown; undefined while a lever is moved. */
  readonly entry: JournalEntry | undefined
  readonly record: number | undefined
  readonly explanation: Explanation
}

export function Reasons({ entry, record, explanation }: ReasonsProps) {
  const json = { requestId: entry?.id ?? 0, ...(record !== undefined && { id: record }) }
  const { value } = useRead(
    entry && entry.status !== 'pending' ? prepare('post', routes.explain, { json }) : undefined,
  )
  const { included, summary, conditions, requestId, causes = [], now } = value ?? explanation
  const others = new Set(causes.flatMap((cause) => cause.requestId ?? []))
  const isSame = JSON.stringify(conditions) === JSON.stringify(now?.conditions)
  return (
    <section aria-label="Why" aria-live="polite">
      <p>
        {value && included !== undefined && `Then ${included ? 'included' : 'not included'}. `}
        {summary}{' '}
        {[...others].map(
          (other) =>
            other !== requestId && (
              <a key={other} href={linkToRequest(other)}>
                request {other}
              </a>
            ),
        )}
      </p>
      <Conditions conditions={conditions.filter(({ holds }) => holds === false)} />
      <details>
        <summary>{now ? 'The conditions then' : 'The conditions'}</summary>
        <Conditions conditions={conditions.filter(({ holds }) => holds !== false)} />
      </details>
      {now && !isSame && (
        <details>
          <summary>The conditions now</summary>
          <Conditions conditions={now.conditions} />
        </details>
      )}
    </section>
  )
}

const Conditions = ({ conditions }: { readonly conditions: readonly ExplainedCondition[] }) => (
  <ol>
    {conditions.map((condition) => (
      <Condition key={condition.name + condition.text} condition={condition} />
    ))}
  </ol>
)

function Condition({ condition }: { readonly condition: ExplainedCondition }) {
  const { name, holds, text, requested, found, matchesAlone, matchesSoFar } = condition
  const facts = [
    requested === undefined ? '' : `requested ${JSON.stringify(requested)}`,
    found === undefined ? '' : `found ${JSON.stringify(found)}`,
    matchesAlone === undefined ? '' : `${matchesAlone} match`,
    matchesSoFar === undefined ? '' : `${matchesSoFar} left`,
  ].filter(Boolean)
  return (
    <li>
      <strong>{name}</strong>{' '}
      {holds !== undefined && (
        <span class={holds ? 'tag good' : 'tag bad'}>{holds ? 'holds' : 'does not hold'}</span>
      )}{' '}
      {text} {facts.length > 0 && <span class="hint">({facts.join(', ')})</span>}
    </li>
  )
}
