import type { ExplainedCondition } from '../../../explain/conditions.ts'
import type { Explanation } from '../../../explain/explain.ts'
import type { JournalEntry } from '../../../journal/view.ts'
import { atRecord, prepare, routes } from '../../client.ts'
import { Instant } from '../../components/format.tsx'
import { Button, Provenance } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { param, setQuery } from '../../place.ts'
import type { ListOperation } from '../data/contract.ts'
import { type AnyRecord, isRecord } from '../data/labels.ts'
import type { Outcome, Sight } from './answer.ts'
import { TextLever } from './lever-panel.tsx'
import { addLine, move, readLevers } from './levers.ts'
import { linkToRequest } from './listing.ts'

interface PickedProps {
  readonly operation: ListOperation
  readonly record: number | undefined
  readonly outcome: Outcome | undefined
  /** True if no lever is moved: the session itself would answer like this now. */
  readonly isNow?: boolean
}

/** Renders whether a record is in the response, and the moves that would change that; of a field, why it is so. */
export function Picked({ operation, record, outcome, isNow }: PickedProps) {
  const isIncluded = outcome?.explanation?.included
  const groups: readonly (readonly [title: string, look: string, Sight])[] = [
    [isIncluded ? 'It would stay' : 'It would appear', 'good', 'included'],
    ['It would be on another page', 'warn', 'on another page'],
    [isIncluded ? 'It would be missing' : 'It would still be missing', 'bad', 'missing'],
  ]
  const fields = Object.keys(operation.item.properties ?? {})
  return (
    <section aria-label="Record" class="what-if-record">
      <div class="row">
        <TextLever
          label="Record"
          value={record === undefined ? '' : `${record}`}
          set={(value) => setQuery({ record: value })}
          placeholder="any id"
        />
        <TextLever
          label="Field"
          value={param('field')}
          set={(field) => setQuery({ field })}
          placeholder="any name"
          proposals={new Map(fields.map((name) => [name, '']))}
        />
        {isIncluded !== undefined && (
          <span class={isIncluded ? 'tag good' : 'tag warn'}>
            {isIncluded ? 'included' : 'not included'}
            {isNow && ' now'}
          </span>
        )}
      </div>
      {groups.map(([title, look, sight]) => {
        const ways = outcome?.ways.filter((way) => way.sight === sight) ?? []
        return (
          ways.length > 0 && (
            <p class="row" key={title}>
              {title}{' '}
              {ways.map(({ label, levers }) => (
                <Button key={label} class={look} run={() => move(levers)}>
                  {label}
                </Button>
              ))}
            </p>
          )
        )
      })}
      {record !== undefined && fields.includes(param('field')) && (
        <PickedField operation={operation} record={record} name={param('field')} outcome={outcome} />
      )}
    </section>
  )
}

interface PickedFieldProps extends PickedProps {
  readonly record: number
  readonly name: string
}

function PickedField({ operation: { collection, item }, record, name, outcome }: PickedFieldProps) {
  const call = prepare('get', routes.data.history[':collection'][':id'], atRecord(collection, record))
  const { value: history } = useRead(call)
  const last = history?.items.findLast(({ fields }) => fields.some((field) => field.name === name))
  const row = findRow(outcome?.answer.body, record)
  const set = (value: string): void =>
    move({ data: addLine(readLevers().data, `${collection}/${record} {"${name}": ${value}}`) })
  return (
    <div class="row">
      <TextLever label={`Value of ${name}`} value={JSON.stringify(row?.[name])} set={set} />
      <p>
        <Provenance of={item.properties?.[name] ?? {}} subject={name} />{' '}
        {last && (
          <span class="hint">
            changed last by {last.bySession ? 'this session' : 'time'}{' '}
            {last.at !== undefined && <Instant at={last.at} />}
          </span>
        )}
        {history && !last && <span class="hint">as in the dataset</span>}
      </p>
    </div>
  )
}

function findRow(body: unknown, id: number): AnyRecord | undefined {
  const items: unknown = isRecord(body) ? body['items'] : body
  return Array.isArray(items) ? items.filter(isRecord).find((one) => one['id'] === id) : undefined
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
      <Conditions conditions={conditions.filter(({ holds }) => holds === false)} summary={summary} />
      <details>
        <summary>{now ? 'The conditions then' : 'The conditions'}</summary>
        <Conditions conditions={conditions.filter(({ holds }) => holds !== false)} summary="" />
      </details>
      {now && !isSame && (
        <details>
          <summary>The conditions now</summary>
          <Conditions conditions={now.conditions} summary="" />
        </details>
      )}
    </section>
  )
}

/** Renders conditions without the texts that a summary above them has. */
const Conditions = ({ conditions, summary }: Pick<Explanation, 'conditions' | 'summary'>) => (
  <ol>
    {conditions.map((condition) => {
      const { name, holds, text } = condition
      const facts = listFacts(condition)
      return (
        <li key={name + text}>
          <strong>{name}</strong>{' '}
          {holds !== undefined && (
            <span class={holds ? 'tag good' : 'tag bad'}>{holds ? 'holds' : 'does not hold'}</span>
          )}{' '}
          {!summary.includes(text) && text}{' '}
          {facts.length > 0 && <span class="hint">({facts.join(', ')})</span>}
        </li>
      )
    })}
  </ol>
)

function listFacts({ requested, found, matchesAlone, matchesSoFar }: ExplainedCondition): readonly string[] {
  return [
    requested === undefined ? '' : `requested ${JSON.stringify(requested)}`,
    found === undefined ? '' : `found ${JSON.stringify(found)}`,
    matchesAlone === undefined ? '' : `${matchesAlone} match`,
    matchesSoFar === undefined ? '' : `${matchesSoFar} left`,
  ].filter(Boolean)
}
