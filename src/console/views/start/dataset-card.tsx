import type { Health } from '../../../control/host.ts'
import { prepare, readDocument, routes } from '../../client.ts'
import { Card } from '../../components/card.tsx'
import { Copy } from '../../components/code.tsx'
import { Instant, formatNumber } from '../../components/format.tsx'
import { Problem } from '../../components/problem.tsx'
import { Save } from '../../components/save.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo, session } from '../../place.ts'

/** Renders the settings of the dataset, with links to reset it and to its documents. */
export function DatasetCard() {
  const { value: health, error } = useRead(prepare('get', routes.health))
  const query = session.value === undefined ? '' : `?${new URLSearchParams({ session: session.value })}`
  return (
    <Card title="Dataset">
      <Problem error={error} />
      {health && <Facts health={health} />}
      <p class="row start-files">
        <a href={linkTo('control', ['dataset'])}>Reset or reseed</a>
        <a href={`/docs${query}`}>API reference</a>
        <a href="/openapi.json">OpenAPI document</a>
        <Save call={readDocument} name="openapi.json" label="Save OpenAPI" />
        <Save
          call={prepare('get', routes['requests.har'], { query: {} })}
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
      <dd>{formatNumber(size)} customers</dd>
      <dt>Fixture</dt>
      <dd>{fixture}</dd>
      <dt>Now</dt>
      <dd>
        <Instant at={now} /> UTC
      </dd>
      <dt>Fingerprint</dt>
      <dd>
        <code>{fingerprint}</code> <Copy text={fingerprint} subject="the fingerprint" />
      </dd>
      <dt>Version</dt>
      <dd>{version}</dd>
    </dl>
  )
}
