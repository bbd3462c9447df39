import { useState } from 'preact/hooks'

import type { Cause, Verdict, Walk } from '../../../lab/sync/verdict.ts'
import { useRead } from '../../calls.ts'
import { prepare, routes } from '../../client.ts'
import { FileField, useFile } from '../../components/form.tsx'
import { plural } from '../../components/format.tsx'
import { MemberSelect, useCast } from '../../components/service.tsx'
import { Button, Card, Facts, Folded, Loaded, Problem, RequestLink } from '../../components/ui.tsx'
import { journalRevision, requests } from '../../live.ts'
import { linkTo, param } from '../../place.ts'

export function SyncView() {
  const { member } = useCast()
  const callers = requests.value.flatMap(({ caller }) => caller?.id ?? [])
  const as = param('member') === '' ? (callers.at(-1) ?? member?.id) : Number(param('member'))
  const [copy, setCopy] = useState<{ readonly name: string; readonly content: Blob }>()
  const { open, error } = useFile((content, name) =>
    // The server takes any form of a copy as lines.
    setCopy({ name, content: new Blob([content], { type: 'application/x-ndjson' }) }),
  )
  const hasLists = requests.value.some(
    ({ caller, operationId }) => caller?.id === as && operationId?.startsWith('list'),
  )
  const isJudged = hasLists || copy !== undefined
  const judge = prepare('post', routes.sync.verdict, { query: { as: `${as}` }, json: {} })
  const call = copy ? { ...judge, body: copy.content } : judge
  const state = useRead(isJudged && as !== undefined ? call : undefined, journalRevision.value)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a file may also be chosen by keyboard
    <section
      aria-label="Verdict"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void open(event.dataTransfer?.files[0])
      }}
    >
      <div class="row is-apart">
        <h1>Sync</h1>
        <span class="row">
          <MemberSelect label="Member" chosen={as} />
          <FileField label="Copy to judge" accept=".json,.ndjson,.jsonl,.singer" open={open} />
          {copy && <Button run={() => setCopy(undefined)}>Without {copy.name} ×</Button>}
        </span>
      </div>
      <Problem error={error} />
      {!isJudged && <p class="empty">Nothing to judge yet: no request of this member has listed records.</p>}
      {isJudged && (
        <Loaded state={state}>{(verdict) => <Judged verdict={verdict} name={copy?.name} />}</Loaded>
      )}
      <p class="hint">
        Without a copy, the verdict is about what the responses have delivered. To judge the copy that your
        client keeps, drop it here: JSON by collection, NDJSON, or the messages of Singer or Airbyte.
      </p>
    </section>
  )
}

function Judged({ verdict, name }: { verdict: Verdict; name: string | undefined }) {
  const { correct, judgedBy, counts, pending, causes, walks, text } = verdict
  const subject = judgedBy === 'copy' ? (name ?? 'The copy') : 'What was delivered'
  return (
    <>
      <output class="large">
        <span class={correct ? 'tag good' : 'tag bad'}>
          {subject} is {correct ? 'correct' : 'not correct'}
        </span>
      </output>
      <Facts facts={{ ...counts, pending }} />
      {causes.length > 0 && (
        <Card title="Causes">
          <ul class="list is-lined">
            {causes.map((cause) => (
              <CauseItem key={cause.text} cause={cause} verdict={verdict} />
            ))}
          </ul>
        </Card>
      )}
      <Card title={`Walks (${walks.length})`}>
        {walks.map((walk) => (
          <Strip key={walk.requests[0]} walk={walk} causes={causes} />
        ))}
      </Card>
      <Folded title="The verdict as text">{() => <pre>{text}</pre>}</Folded>
    </>
  )
}

const healTexts = {
  next: 'The next run corrects it.',
  full: 'Only a run that reads everything corrects it.',
  never: 'No run corrects it as long as the client stays as it is.',
} as const

function CauseItem({ cause, verdict }: { cause: Cause; verdict: Verdict }) {
  const { kind, reason, ids, requests: guilty, text } = cause
  const heals = verdict[kind].find((entry) => entry.reason === reason && ids.includes(entry.id))?.heals
  return (
    <li>
      <span class="tag warn">{reason.replaceAll('_', ' ')}</span> {text} {heals && healTexts[heals]}
      <div class="row">
        {guilty.slice(0, 5).map((id) => (
          <RequestLink key={id} id={id} />
        ))}
        {ids.slice(0, 10).map((id) => (
          <a key={id} href={linkTo('traffic', [`${guilty.at(-1) ?? ''}`], { record: `${id}` })}>
            why {id}?
          </a>
        ))}
      </div>
    </li>
  )
}

/** Renders the pages of a walk as a strip, each with the rows that were lost there; every page opens its request. */
function Strip({ walk, causes }: { walk: Walk; causes: readonly Cause[] }) {
  const { list, run, isFull, isComplete, rows, failed, updatedSince = '' } = walk
  const extent = isFull ? 'whole list' : `part of the list${updatedSince && ` since ${updatedSince}`}`
  const facts = [`run ${run}`, plural(rows, 'row'), extent, isComplete ? 'to its end' : 'ended early']
  return (
    <section class="columns" aria-label={`Walk from request ${walk.requests[0]}`}>
      <p>
        <code>{list}</code> <span class={isComplete ? 'hint' : 'warn'}>{facts.join(' · ')}</span>
      </p>
      <ol class="strip">
        {walk.requests.map((id) => {
          const lost = causes.filter((cause) => cause.requests.at(-1) === id)
          const count = lost.reduce((sum, cause) => sum + cause.count, 0)
          const note = failed.includes(id) ? 'failed' : count > 0 ? `${plural(count, 'row')} lost` : ''
          return (
            <li key={id} class={note === '' ? 'good' : note === 'failed' ? 'bad' : 'warn'}>
              <a href={linkTo('traffic', [`${id}`])} title={lost.map(({ text }) => text).join('\n')}>
                {id}
              </a>{' '}
              {note}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
