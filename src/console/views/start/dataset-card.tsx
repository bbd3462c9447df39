import type { Health } from '../../../control/host.ts'
import { Card } from '../../parts/card.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Instant } from '../../parts/instant.tsx'
import { numberText } from '../../parts/number.ts'
import { Problem } from '../../parts/problem.tsx'
import { Save } from '../../parts/save.tsx'
import { useAnswer } from '../../parts/use-answer.ts'
import { addressOf, session } from '../../place.ts'

/** What the data is made from, and what describes it. */
export function DatasetCard() {
  const { value: health, error } = useAnswer<Health>({ path: '/_sandbox/health' })
  const query = session.value === undefined ? '' : `?${new URLSearchParams({ session: session.value })}`
  return (
    <Card title="Dataset">
      <Problem error={error} />
      {health && <Facts health={health} />}
      <p class="row start-files">
        <a href={addressOf('steer', ['dataset'])}>Reset or reseed</a>
        <a href={`/docs${query}`}>API reference</a>
        <a href="/openapi.json">OpenAPI document</a>
        <Save path="/openapi.json" name="openapi.json" label="Save OpenAPI" />
        <Save
          path="/_sandbox/requests.har"
          name={`${session.value ?? 'default'}.har`}
          label="Save requests as HAR"
        />
      </p>
    </Card>
  )
}

function Facts({ health }: { readonly health: Health }) {
  const { version, seed, size, fixture, now, fingerprint } = health
  return (
    <dl class="start-facts">
      <dt>Seed</dt>
      <dd>{seed}</dd>
      <dt>Size</dt>
      <dd>{numberText(size)} customers</dd>
      <dt>Fixture</dt>
      <dd>{fixture}</dd>
      <dt>Now</dt>
      <dd>
        <Instant at={now} /> UTC
      </dd>
      <dt>Fingerprint</dt>
      <dd>
        <code>{fingerprint}</code> <Copy text={fingerprint} what="the fingerprint" />
      </dd>
      <dt>Version</dt>
      <dd>{version}</dd>
    </dl>
  )
}
