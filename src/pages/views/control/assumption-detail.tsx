import { useState } from 'preact/hooks'

import type { ListedAssumption } from '../../../control/routes/assumptions.ts'
import { castBody, prepare, routes } from '../../client.ts'
import { Form, Input, OtherErrors } from '../../components/form.tsx'
import { toText, parseJson } from '../../components/schema.ts'
import { Act, Card } from '../../components/ui.tsx'
import { useChange } from '../../components/use-calls.ts'

interface AssumptionDetailProps {
  readonly assumption: ListedAssumption
  readonly isChanged: boolean
}

export function AssumptionDetail({ assumption, isChanged }: AssumptionDetailProps) {
  const { id, subject, decision, because, name } = assumption
  return (
    <Card title={`${id} ${subject}`}>
      <p>
        Default: {decision}. <span class="hint">Reason: {because}.</span>{' '}
        {isChanged && <span class="tag odd">overridden in this session</span>}
      </p>
      {name === null ? (
        <p class="hint">This assumption cannot be overridden.</p>
      ) : (
        <Alternatives assumption={assumption} name={name} />
      )}
    </Card>
  )
}

function Alternatives({
  assumption: { id, options, meanings, value },
  name,
}: Omit<AssumptionDetailProps, 'isChanged'> & { name: string }) {
  const done = `Changed ${name} (${id}).`
  return (
    <>
      <ul class="list">
        {options.map((option, at) => {
          const to = { [name]: option }
          const isCurrent = normalize(to) === normalize({ [name]: value })
          return (
            <li key={meanings[at]}>
              <section class="row" aria-label={`${meanings[at]}${at === 0 ? ' (default)' : ''}`}>
                <b>{meanings[at]}</b> {at === 0 && <span class="hint">default</span>}
                {isCurrent ? (
                  <span class="tag good">in use</span>
                ) : (
                  <Act call={override(to)} done={done}>
                    Use it
                  </Act>
                )}
              </section>
            </li>
          )
        })}
      </ul>
      {typeof options.at(-1) === 'object' && (
        <OtherValue key={JSON.stringify(value)} name={name} value={value} done={done} />
      )}
    </>
  )
}

const override = (to: object) => prepare('patch', routes.assumptions, { json: castBody(to) })

/** Converts an assumption to text; flags that are off count as absent. */
const normalize = (to: object): string =>
  JSON.stringify(to, (_, value: unknown) => (value === false ? undefined : value))

function OtherValue({ name, value, done }: { name: string; value: unknown; done: string }) {
  const { make, error } = useChange()
  const isNames = Array.isArray(value) && value.every((one) => typeof one === 'string')
  const [text, set] = useState(isNames ? value.join(', ') : toText(value))
  const parsed = parseJson(text)
  const to = parsed ? parsed.json : text.split(',').map((one) => one.trim())
  const field = { name, value: text, set, error }
  return (
    <Form
      label={`Another value of ${name}`}
      error={error}
      submit={() => make(override({ [name]: to }), done)}
    >
      <Input {...field} label="Another value" hint="Names in their order, or JSON." />
      <button type="submit">Apply</button>
      <OtherErrors error={error} names={[name]} />
    </Form>
  )
}
