import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import type { JournalEntry } from '../../../journal/view.ts'
import { read } from '../../calls.ts'
import { prepare, routes } from '../../client.ts'
import { useCast } from '../../components/cast.tsx'
import { Code, Copy } from '../../components/code.tsx'
import { Button, Tabs } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { formatCurl } from '../../curl.ts'
import { linkTo, param, session, show, switchSession } from '../../place.ts'
import { overview } from '../../shell/overview.ts'
import { type Outcome, findToken, send, toAnswer, toHttp, withFork } from './answer.ts'
import type { Levers, Sent } from './levers.ts'
import { linkToRequest } from './listing.ts'
import { formatTest } from './test-program.ts'

interface ProgramsProps {
  readonly entry: JournalEntry | undefined
  readonly sent: Sent
  readonly moved: Sent
  readonly levers: Levers
  readonly outcome: Outcome | undefined
  readonly children: ComponentChildren
}

const formats = [
  ['test', 'Vitest test'],
  ['curl', 'curl'],
] as const

export function Programs({ entry, sent, moved, levers, outcome, children }: ProgramsProps) {
  const cast = useCast()
  const [format, setFormat] = useState<(typeof formats)[number][0]>('test')
  const listed = useRead(prepare('get', routes.faults)).value?.items ?? []
  const token = findToken(moved.as, cast)
  const isMoved = Object.keys(levers).length > 0
  const recorded = isMoved ? undefined : entry
  const answer = recorded ? toAnswer(recorded) : outcome?.answer
  const dataset = overview.value
  const http = toHttp(moved, session.value, moved.as === '' ? undefined : token)
  const { target, clock } = moved
  const tested = answer && { ...answer, request: http, target, clock, levers, fault: recorded?.fault }
  const test = tested && formatTest(tested, dataset, listed)
  const text = format === 'curl' ? formatCurl(http) : test
  const { headers: _, ...of } = sent
  const address = linkTo('traffic', ['if'], {
    of: JSON.stringify(of),
    seed: `${dataset?.seed ?? ''}`,
    revision: `${dataset?.revision ?? ''}`,
    record: param('record'),
    field: param('field'),
    ...levers,
  })
  const sendHere = async (): Promise<void> => {
    await send(moved, session.value, token)
    const { items } = await read(prepare('get', routes.requests, { query: { bodies: 'false' } }))
    show(linkToRequest(items.at(-1)?.id))
  }
  const keep = (): Promise<void> =>
    withFork(levers, sent.clock, (fork) => Promise.resolve(fork), true).then(switchSession)
  return (
    <>
      <p class="row">
        <Copy
          text={`${location.origin}${location.pathname}${location.search}${address}`}
          subject="the link"
          label="Copy link"
        />
        {test !== undefined && <Copy text={test} subject="the test" label="Save as test" />}
        <Button run={sendHere}>Send in this session</Button>
        <Button run={keep}>Continue in a fork</Button>
      </p>
      {children}
      <section aria-label="As a program">
        <Tabs label="Format" tabs={formats} chosen={format} choose={setFormat}>
          {text && (
            <Code text={text} subject={format === 'curl' ? 'the request as curl' : 'the Vitest test'} />
          )}
        </Tabs>
        {http.headers['authorization']?.endsWith('***') && (
          <p class="hint">
            The journal hides tokens, and this one belongs to no known member. Replace <code>***</code> with
            your token.
          </p>
        )}
      </section>
    </>
  )
}
