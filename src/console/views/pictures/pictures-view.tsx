import { requests } from '../../live.ts'
import { Card } from '../../parts/card.tsx'
import { addressOf } from '../../place.ts'
import { LatencyPicture } from './latency-picture.tsx'
import { Hatches } from './legend.tsx'
import { OperationsPicture } from './operations-picture.tsx'
import { TenantPictures } from './tenant-pictures.tsx'
import { TimePicture } from './time-picture.tsx'

/** What is asked, how it went, and what there is to ask for, at a glance. */
export function PicturesView() {
  const known = requests.value
  return (
    <>
      <h1>Pictures</h1>
      <Hatches />
      {known.length === 0 ? (
        <Card title="Requests">
          <p class="empty">
            No request yet. <a href={addressOf('start')}>Start</a> has one to send; pictures of it appear here
            at once.
          </p>
        </Card>
      ) : (
        <div class="columns pictures-requests">
          <TimePicture requests={known} />
          <LatencyPicture requests={known} />
          <OperationsPicture requests={known} />
        </div>
      )}
      <TenantPictures />
    </>
  )
}
