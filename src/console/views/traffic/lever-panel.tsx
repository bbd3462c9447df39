import { useEffect, useState } from 'preact/hooks'

import { listAssumptions, prepare, routes } from '../../client.ts'
import { useCast } from '../../components/cast.tsx'
import { Input, type InputProps, Select, toOptions } from '../../components/form.tsx'
import { Button } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { overview } from '../../shell/overview.ts'
import { AS_IN_DATASET, type Levers, type Sent, getParameter, move, withParameter } from './levers.ts'

const faults = {
  none: 'none',
  '{"status":503}': '503',
  '{"status":429,"retryAfterSeconds":30}': '429, retry after 30 s',
  '{"delayMs":2000}': '2 s slower',
  '{"malfunction":"reset"}': 'connection reset',
  '{"malfunction":"truncate"}': 'response cut off',
} as const

type Options = Readonly<Record<string, string>>

const moveOne = (name: keyof Levers) => (value: string) => move({ [name]: value })

interface LeverPanelProps {
  readonly sent: Sent
  readonly moved: Sent
  readonly levers: Levers
  readonly scopes: readonly string[]
}

export function LeverPanel({ sent, moved, levers, scopes }: LeverPanelProps) {
  const { members } = useCast()
  const listed = useRead(listAssumptions).value ?? []
  const definitions = useRead(prepare('get', routes.scenarios.definitions)).value?.items ?? []
  const changes = overview.value?.changes ?? 0
  const caller = members.find(({ id }) => `${id}` === sent.as)?.name ?? 'nobody'
  const choices = listed
    .filter(({ name }) => name !== null)
    .flatMap(({ id, name, subject, options, meanings, value }) =>
      options.flatMap((option, at) =>
        JSON.stringify(option) === JSON.stringify(value)
          ? []
          : [[JSON.stringify({ [name ?? '']: option }), `${id} ${subject}: ${meanings[at]}`] as const],
      ),
    )
  const setScope = (scope: string): void => {
    const target = withParameter(moved.target, 'scope', scope || undefined)
    move({ target: target === sent.target ? '' : target })
  }
  const selectLever = (name: keyof Levers, label: string, rest: string, options: Options) => (
    <Select label={label} value={levers[name] ?? ''} set={moveOne(name)} options={{ '': rest, ...options }} />
  )
  const same = 'as in the session'
  return (
    <section class="what-if-levers" aria-label="Levers">
      {selectLever(
        'as',
        'Caller',
        `${caller}, as sent`,
        Object.fromEntries(members.map(({ id, name }) => [id, name])),
      )}
      {scopes.length > 0 && (
        <Select
          label="Scope"
          value={getParameter(moved.target, 'scope') ?? ''}
          set={setScope}
          options={{ '': 'none sent', ...toOptions(scopes) }}
        />
      )}
      <TextLever
        label="Clock"
        value={levers.clock}
        set={moveOne('clock')}
        placeholder="30 days, or an instant"
        hint={sent.clock}
      />
      {selectLever('assume', 'Assumption', same, Object.fromEntries(choices))}
      {selectLever('fault', 'Fault', same, faults)}
      {selectLever('scenario', 'Scenario', same, toOptions(definitions.map(({ name }) => name)))}
      <TextLever
        label="Changed records"
        value={levers.data}
        set={moveOne('data')}
        placeholder={'customers/3 {"name": "Larkspur"}'}
        rows={2}
      />
      {changes > 0 && levers.data === undefined && (
        <Button run={() => move({ data: AS_IN_DATASET })}>
          Without this session’s {changes === 1 ? 'change' : `${changes} changes`}
        </Button>
      )}
      <details open={levers.method !== undefined || levers.body !== undefined}>
        <summary>The request itself</summary>
        <TextLever label="Method" value={levers.method ?? sent.method} set={moveOne('method')} />
        <TextLever label="Path and query" value={moved.target} set={moveOne('target')} rows={3} />
        <TextLever label="Body" value={levers.body ?? sent.body} set={moveOne('body')} rows={4} />
      </details>
    </section>
  )
}

type TextLeverProps = Pick<InputProps, 'label' | 'placeholder' | 'rows' | 'hint' | 'proposals'> & {
  readonly value: string | undefined
  readonly set: (value: string) => void
}

export function TextLever({ value = '', set, ...rest }: TextLeverProps) {
  const [draft, setDraft] = useState(value)
  useEffect(() => setDraft(value), [value])
  return <Input {...rest} name={rest.label} value={draft} set={setDraft} done={(text) => set(text.trim())} />
}
