import { useState } from 'preact/hooks'

import { castBody, prepare, routes } from '../../client.ts'
import { plural } from '../../components/format.tsx'
import { Button, Problem } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { journalRevision } from '../../shell/overview.ts'
import { linkToRequest } from './listing.ts'

const judge = prepare('post', routes.sync.verdict, { query: {}, json: castBody({}) })

/** Renders on demand whether the responses so far add up to a correct copy, and each cause if they do not. */
export function SyncVerdict() {
  const [isOpen, setOpen] = useState(false)
  const { value, error } = useRead(isOpen ? judge : undefined, journalRevision.value)
  return (
    <>
      <p class="row">
        <Button pressed={isOpen} run={() => setOpen(!isOpen)}>
          Judge the sync
        </Button>
        {isOpen && value && (
          <output>
            {value.correct
              ? 'What was delivered is correct.'
              : `What was delivered is not correct: ${plural(value.causes.length, 'cause')}.`}{' '}
            {value.pending > 0 && <span class="hint">{plural(value.pending, 'row')} pending</span>}
          </output>
        )}
      </p>
      {isOpen && <Problem error={error} />}
      {isOpen && value && value.causes.length > 0 && (
        <ul class="sync-causes">
          {value.causes.map(({ kind, reason, collection, requests, text }) => (
            <li key={`${kind} ${reason} ${collection} ${requests.join()}`}>
              <code>{reason}</code> {text}{' '}
              {requests.map((id) => (
                <a key={id} href={linkToRequest(id)}>
                  {id}
                </a>
              ))}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
