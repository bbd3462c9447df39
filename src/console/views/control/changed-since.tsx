import { useState } from 'preact/hooks'

import type { ChangedRecord } from '../../../records/timeline-types.ts'
import { castBody, prepare, routes } from '../../client.ts'
import { Form, Input, Select } from '../../components/form.tsx'
import { Instant } from '../../components/format.tsx'
import { Card } from '../../components/layout.tsx'
import { Problem } from '../../components/problem.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo, place, setQuery } from '../../place.ts'
import { looks } from '../data/history.tsx'
import { formatCounts, formatTitle, singularize } from '../data/labels.ts'

/** The number of records to show at first, and the most that can be shown. */
const [PAGE, MOST] = [25, 250]

interface ChangedSinceProps {
  readonly now: string
  /** The time before the last move; undefined if the page has not moved the clock. */
  readonly before: string | undefined
}

/** Lists the records that differ between now and an instant: the start, the last move or any other. */
export function ChangedSince({ now, before }: ChangedSinceProps) {
  const { query } = place.value
  const given = query.get('since')
  const collection = query.get('of') ?? ''
  const mode = given ?? (before === undefined ? 'start' : 'move')
  const isInstant = mode !== 'start' && mode !== 'move'
  const [limit, setLimit] = useState(PAGE)
  const from = isInstant ? mode : mode === 'move' ? before : undefined
  const isBack = from !== undefined && Date.parse(from) > Date.parse(now)
  const [since, until] = isBack ? [now, from] : [from, now]
  const { value, error } = useRead(
    prepare('get', routes.clock.changes, {
      query: {
        ...(since !== undefined && { since }),
        until,
        ...(collection !== '' && { collection: castBody(collection) }),
        limit: `${limit}`,
      },
    }),
    now,
  )
  const left = value ? value.totalCount - value.items.length : 0
  return (
    <Card title="What has changed">
      <div class="row clock-forms">
        <Select
          label="Since"
          value={isInstant ? 'instant' : mode}
          set={(one) => setQuery({ since: one === 'instant' ? now : one, of: '' })}
          options={{
            start: 'the start',
            ...((before !== undefined || mode === 'move') && { move: 'the last move' }),
            instant: 'another time',
          }}
        />
        {isInstant && <SinceForm key={mode} since={mode} error={error} />}
      </div>
      {!isInstant && <Problem error={error} />}
      {isBack && <p class="hint">The clock went back, so these changes have not happened yet.</p>}
      {value && (
        <p class="row">
          {Object.keys(value.counts).length === 0 && <span class="hint">Nothing has changed.</span>}
          {Object.entries(value.counts).map(([name, count]) => (
            <button
              key={name}
              type="button"
              class="small"
              aria-pressed={name === collection}
              onClick={() => setQuery({ of: name === collection ? '' : name })}
            >
              {formatCounts({ [name]: count })}
            </button>
          ))}
        </p>
      )}
      <ul class="changed-list">
        {value?.items.map((item) => (
          <Item key={`${item.collection} ${item.id}`} item={item} />
        ))}
      </ul>
      {left > 0 && limit < MOST && (
        <button type="button" onClick={() => setLimit(Math.min(limit * 2, MOST))}>
          Show more of {value?.totalCount}
        </button>
      )}
      {left > 0 && limit === MOST && <p class="hint">And {left} more. Select a kind of record.</p>}
    </Card>
  )
}

function SinceForm({ since, error }: { readonly since: string; readonly error: unknown }) {
  const [text, setText] = useState(since)
  return (
    <Form label="Since another time" error={error} submit={() => setQuery({ since: text })}>
      <div class="row">
        <Input label="Since (UTC)" name="since" value={text} set={setText} error={error} />
        <button type="submit">Show</button>
      </div>
    </Form>
  )
}

function Item({
  item: { collection, id, name, change, at, bySession, fields },
}: {
  readonly item: ChangedRecord
}) {
  const title = `${formatTitle(singularize(collection))} ${id}`
  return (
    <li>
      <span class={looks[change]}>{change}</span>{' '}
      {change === 'deleted' ? title : <a href={linkTo('data', [collection, `${id}`])}>{title}</a>} {name}{' '}
      <span class="hint">
        {at !== undefined && <Instant at={at} part="minute" />} {bySession && 'by this session '}
        {fields && `(${fields.join(', ')})`}
      </span>
    </li>
  )
}
