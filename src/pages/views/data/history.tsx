import { useState } from 'preact/hooks'

import { useRead } from '../../calls.ts'
import { atRecord, prepare, routes } from '../../client.ts'
import { Difference } from '../../components/difference.tsx'
import { formatInstant } from '../../components/format.tsx'
import { Button, Card } from '../../components/ui.tsx'
import { overview } from '../../shell/overview.ts'
import { looks } from './collections.ts'

/** Renders the versions of a record as a line, and what the chosen one has changed. */
export function History({ collection, id }: { collection: string; id: string }) {
  const call = prepare('get', routes.data.history[':collection'][':id'], atRecord(collection, id))
  const { items = [], totalCount = 0 } = useRead(call, overview.value?.now).value ?? {}
  const [chosen, setChosen] = useState<number>()
  const { fields = [] } = items[chosen ?? items.length - 1] ?? {}
  if (items.length === 0) return null
  return (
    <Card title={`History (${totalCount})`}>
      <ol class="strip">
        {items.map(({ at = '', change, bySession }, index) => (
          <li key={at + change} class={looks[change].replace('tag ', '')}>
            <Button
              class="link"
              pressed={index === (chosen ?? items.length - 1)}
              title={bySession ? 'by this session' : 'by time'}
              run={() => setChosen(index)}
            >
              {formatInstant(at, 'minute')} {change}
            </Button>
          </li>
        ))}
      </ol>
      <Difference
        before={Object.fromEntries(fields.map(({ name, before }) => [name, before]))}
        after={Object.fromEntries(fields.map(({ name, after }) => [name, after]))}
      />
    </Card>
  )
}
