import { useState } from 'preact/hooks'

import { castBody, prepare, routes } from '../../client.ts'
import { Form, Input, Select } from '../../components/form.tsx'
import { Instant } from '../../components/format.tsx'
import { toWords } from '../../components/schema.ts'
import { Button, Card, Problem } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo, param, setQuery } from '../../place.ts'
import { formatCounts, looks, singularize } from '../data/labels.ts'

const [PAGE, MOST] = [25, 250]

interface ChangedSinceProps {
  readonly now: string
  /** The time before the last move; undefined if the page has not moved the clock. */
  readonly before: string | undefined
}

export function ChangedSince({ now, before }: ChangedSinceProps) {
  const collection = param('of')
  const mode = param('since') || (before === undefined ? 'start' : 'move')
  const isInstant = mode !== 'start' && mode !== 'move'
  const [limit, setLimit] = useState(PAGE)
  const from = isInstant ? mode : mode === 'move' ? before : undefined
  const isBack = from !== undefined && Date.parse(from) > Date.parse(now)
  const [since, until] = isBack ? [now, from] : [from, now]
  const query = {
    ...(since !== undefined && { since }),
    until,
    ...(collection !== '' && { collection: castBody(collection) }),
    limit: `${limit}`,
  }
  const { value, error } = useRead(prepare('get', routes.clock.changes, { query }), now)
  const { counts = {}, items = [], totalCount = 0 } = value ?? {}
  const isCut = totalCount > items.length
  return (
    <Card title="What has changed">
      <div class="row">
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
      {value && Object.keys(counts).length === 0 && <p class="hint">Nothing has changed.</p>}
      <p class="row">
        {Object.entries(counts).map(([name, count]) => (
          <Button
            key={name}
            pressed={name === collection}
            run={() => setQuery({ of: name === collection ? '' : name })}
          >
            {formatCounts({ [name]: count })}
          </Button>
        ))}
      </p>
      <ul class="list is-lined">
        {items.map(({ collection: of, id, name, change, at, bySession, fields }) => {
          const title = `${toWords(singularize(of))} ${id}`
          return (
            <li key={title}>
              <span class={looks[change]}>{change}</span>{' '}
              {change === 'deleted' ? title : <a href={linkTo('data', [of, `${id}`])}>{title}</a>} {name}{' '}
              <span class="hint">
                {at !== undefined && <Instant at={at} part="minute" />} {bySession && 'by this session '}
                {fields && `(${fields.join(', ')})`}
              </span>
            </li>
          )
        })}
      </ul>
      {isCut && limit < MOST && (
        <Button run={() => setLimit(Math.min(limit * 2, MOST))}>Show more of {totalCount}</Button>
      )}
      {isCut && limit === MOST && (
        <p class="hint">And {totalCount - items.length} more. Select a kind of record.</p>
      )}
    </Card>
  )
}

function SinceForm({ since, error }: { readonly since: string; readonly error: unknown }) {
  const [text, setText] = useState(since)
  return (
    <Form label="Since another time" error={error} submit={() => setQuery({ since: text })}>
      <Input label="Since (UTC)" name="since" value={text} set={setText} error={error} />
      <button type="submit">Show</button>
    </Form>
  )
}
