import { useEffect, useState } from 'preact/hooks'

import type { JournalEntry } from '../../../journal/view.ts'
import { revision } from '../../calls.ts'
import { prepare, readDocument, routes } from '../../client.ts'
import { useCast } from '../../components/cast.tsx'
import { formatDuration } from '../../components/format.tsx'
import { Json } from '../../components/json.tsx'
import { listValues } from '../../components/schema.ts'
import { StatusTag } from '../../components/status.tsx'
import { Button, Problem } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { param, place, session, setQuery, show } from '../../place.ts'
import { overview } from '../../shell/overview.ts'
import { listOperations } from '../data/contract.ts'
import { type Answer, type Outcome, ask, toAnswer } from './answer.ts'
import { LeverPanel } from './lever-panel.tsx'
import { type Sent, applyToRequest, move, parseSent, readLevers } from './levers.ts'
import { linkToRequest } from './listing.ts'
import { Programs } from './programs.tsx'
import { Picked, Reasons } from './reasons.tsx'

interface Answered {
  readonly outcome?: Outcome
  readonly error?: unknown
  readonly of?: string
}

/** Finds the list that a request reads; undefined if it reads none. */
function useList(target: string) {
  const document = useRead(readDocument).value
  const names = useRead(prepare('get', routes.data, { query: {} })).value?.items.map(({ name }) => name)
  if (!document || !names) return { isLoading: true }
  const parts = target.split('?', 1).join('').split('/').slice(2)
  const operation = listOperations(document, names).find(({ path }) => {
    const own = path.split('/').slice(1)
    return own.length === parts.length && own.every((one, at) => one.startsWith('{') || one === parts[at])
  })
  const scope = operation?.parameters.find(({ name }) => name === 'scope')
  return { operation, scopes: scope ? listValues(scope.schema) : [] }
}

const isSameAnswer = (one: Answer | undefined, other: Answer | undefined): boolean =>
  JSON.stringify([one?.status, one?.body]) === JSON.stringify([other?.status, other?.body])

const returnAll = (): void => move(Object.fromEntries(Object.keys(readLevers()).map((name) => [name, ''])))

/** Answers a request in a disposable fork whenever a lever moves, and shows the difference in place. */
export function WhatIf({ entry, sent }: { entry?: JournalEntry | undefined; sent: Sent }) {
  const cast = useCast()
  const levers = readLevers()
  const moved = applyToRequest(sent, levers)
  const { operation, scopes = [], isLoading } = useList(moved.target)
  const collection = operation?.collection
  const [again, setAgain] = useState(0)
  const [{ outcome, error, of }, setState] = useState<Answered>({})
  const picked = param('record')
  const record = /^\d{1,15}$/.test(picked) && moved.method === 'GET' ? Number(picked) : undefined
  const isMoved = Object.keys(levers).length > 0
  const { response } = entry ?? {}
  const recorded = entry && response && !response.truncated ? toAnswer(entry) : undefined
  const isCompared = isMoved || again > 0
  const resting = isCompared ? undefined : recorded
  const key = JSON.stringify([sent, levers, record, again, collection, scopes, isLoading])
  const isReady = !isLoading && cast.members.length > 0
  useEffect(() => {
    let isOver = false
    const question = { sent, levers, record, collection, scopes, resting }
    const set = (state: Answered) => !isOver && setState({ ...state, of: key })
    if (isReady) {
      ask(question, cast).then(
        (found) => set({ outcome: found }),
        (failure: unknown) => set({ error: failure }),
      )
    }
    return () => {
      isOver = true
    }
  }, [key, isReady, session.value, revision.value])
  // All at once, so that nothing moves.
  if (of === undefined) return <p class="empty">Answering …</p>
  const isAsRecorded = isSameAnswer(recorded, outcome?.base)
  const isWaiting = isCompared && of !== key
  const isAnswered = outcome !== undefined && !isWaiting && (isCompared || !recorded)
  const before = isMoved && outcome && !isAsRecorded ? outcome.base : (recorded ?? outcome?.base)
  const after = isAnswered ? outcome.answer : before
  const isSame = isSameAnswer(before, after)
  return (
    <div class="what-if beside">
      <LeverPanel sent={sent} moved={moved} levers={levers} scopes={scopes} />
      <div class="what-if-answer">
        <Foreign />
        <p class="row" aria-live="polite">
          {before && <StatusTag status={before.status} />}
          {isAnswered && after && !isSame && (
            <>
              → <StatusTag status={after.status} />
            </>
          )}
          {isAnswered && (
            <b>
              {isCompared ? `The response ${isSame ? 'is the same' : 'differs'}` : 'The response now'}
              {after?.durationMs !== undefined && ` · ${formatDuration(after.durationMs)}`}
            </b>
          )}
          {!isAnswered && <b>{recorded && !isWaiting ? 'As it was recorded' : 'Answering …'}</b>}
          <Button run={() => setAgain(again + 1)}>Send again in a fork</Button>
          {isMoved && <Button run={returnAll}>Return all levers</Button>}
        </p>
        {isMoved && recorded && outcome && !isAsRecorded && (
          <p class="hint">Compared with what this session answers now, which is not what it answered then.</p>
        )}
        <Problem error={error} />
        <Programs entry={entry} sent={sent} moved={moved} levers={levers} outcome={outcome}>
          {operation && moved.method === 'GET' && (
            <Picked operation={operation} record={record} outcome={outcome} isNow={!isMoved} />
          )}
          {outcome?.explanation && (
            <Reasons entry={isMoved ? undefined : entry} record={record} explanation={outcome.explanation} />
          )}
          {after && (
            <Json
              value={after.body ?? after.text}
              openDepth={isMoved ? 2 : 3}
              before={isAnswered && !isSame ? { value: before?.body } : undefined}
              pick={operation && ((id, field) => setQuery({ record: `${id}`, field }))}
            />
          )}
        </Programs>
      </div>
    </div>
  )
}

/** Warns about a link that was copied from another dataset, or before later changes. */
function Foreign() {
  const [seed, number] = [param('seed'), param('revision')]
  const { seed: own, revision: current } = overview.value ?? {}
  if (own === undefined || seed === '') return null
  if (seed !== `${own}`) {
    return (
      <p class="tag warn">
        This link is about seed {seed}; this sandbox has seed {own}.
      </p>
    )
  }
  return number === `${current}` ? null : (
    <p class="hint">The session has changed since this link was copied.</p>
  )
}

export function LinkedWhatIf() {
  const { members } = useCast()
  const now = overview.value?.now
  const text = place.value.query.get('of')
  const sent = parseSent(text ?? '', now)
  if (!now || members.length === 0) return <p class="empty">Loading…</p>
  return (
    <section class="traffic-detail" aria-label="What if">
      <div class="row view-head">
        <h1>What if</h1>
        <Button run={() => show(linkToRequest())}>Close</Button>
      </div>
      {sent ? (
        <>
          <h2 class="mono">
            {sent.method} {sent.target}
          </h2>
          <WhatIf sent={sent} />
        </>
      ) : (
        <p class="empty">This link names no request. Copy it again from the request’s page.</p>
      )}
    </section>
  )
}
