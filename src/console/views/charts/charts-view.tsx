import { Card } from '../../components/card.tsx'
import { requests } from '../../live.ts'
import { linkTo } from '../../place.ts'
import { LatencyChart } from './latency-chart.tsx'
import { Hatches } from './legend.tsx'
import { OperationsChart } from './operations-chart.tsx'
import { TenantCharts } from './tenant-charts.tsx'
import { TimeChart } from './time-chart.tsx'

/** Renders charts of the requests and of the tenant. */
export function ChartsView() {
  const known = requests.value
  return (
    <>
      <h1>Charts</h1>
      <Hatches />
      {known.length === 0 ? (
        <Card title="Requests">
          <p class="empty">
            No requests yet. Send one from <a href={linkTo('start')}>Start</a> to see charts here.
          </p>
        </Card>
      ) : (
        <div class="columns charts-requests">
          <TimeChart requests={known} />
          <LatencyChart requests={known} />
          <OperationsChart requests={known} />
        </div>
      )}
      <TenantCharts />
    </>
  )
}
