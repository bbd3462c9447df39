import { useState } from 'preact/hooks'

import type { ListedAssumption } from '../../../control/routes/assumptions.ts'
import type { UsedAssumption } from '../../../explain/report.ts'
import { castBody, prepare, routes } from '../../client.ts'
import { Form, Input, OtherErrors } from '../../components/form.tsx'
import { plural } from '../../components/format.tsx'
import { Json } from '../../components/json.tsx'
import { toText, parseJson } from '../../components/schema.ts'
import { Act, Card, RequestLink } from '../../components/ui.tsx'
import { useChange } from '../../components/use-calls.ts'
import { linkTo } from '../../place.ts'

interface AssumptionDetailProps {
  readonly assumption: ListedAssumption
  readonly use: UsedAssumption | undefined
  readonly isChanged: boolean
}

export function AssumptionDetail({ assumption, use, isChanged }: AssumptionDetailProps) {
  const { id, subject, decision, because, name, evidence, shapes } = assumption
  return (
    <Card title={`${id} ${subject}`}>
      <p>
        Default: {decision}. <span class="hint">Reason: {because}.</span>{' '}
        {isChanged && <span class="tag odd">overridden in this session</span>}
      </p>
      {evidence && (
        <p>
          Observed in a real tenant, in {plural(evidence.answers, 'answer')}
          {evidence.records > 0 && ` and ${plural(evidence.records, 'record')}`}.
        </p>
      )}
      {shapes && (
        <>
          <p>
            The fields come from the option <code>shapes</code> instead:
          </p>
          <Json value={shapes} openDepth={3} />
        </>
      )}
      {name === null ? (
        <p class="hint">This assumption cannot be overridden.</p>
      ) : (
        <Alternatives assumption={assumption} name={name} use={use} />
      )}
      {use && (
        <p>
          Used by {plural(use.count, 'request')} to {use.operations.join(', ')}:{' '}
          {use.requestIds.map((one) => (
            <>
              <RequestLink id={one}>{one}</RequestLink>{' '}
            </>
          ))}
          {use.count > use.requestIds.length && '…'}
        </p>
      )}
    </Card>
  )
}

function Alternatives({
  assumption: { id, options, meanings, value },
  name,
  use,
}: Omit<AssumptionDetailProps, 'isChanged'> & { name: string }) {
  const request = use?.requestIds.at(-1)
  const done = `Changed ${name} (${id}).`
  return (
    <>
      {request === undefined && (
        <p class="hint">No request depends on it yet. Send one to compare the responses.</p>
      )}
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
                  <>
                    <Act call={override(to)} done={done}>
                      Use it
                    </Act>
                    {request !== undefined && (
                      <a href={linkTo('traffic', [`${request}`, 'if'], { assume: JSON.stringify(to) })}>
                        What if request {request} was answered so?
                      </a>
                    )}
                  </>
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
