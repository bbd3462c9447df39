import { effect } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'

import type { Listing } from './listing.ts'

/** How long what comes is gathered before it is said. Units: milliseconds. */
const GATHERED_MS = 2_000

/** Says now and then how many requests have come, to who does not see them come. */
export function Arrivals({ listing }: { readonly listing: Listing }) {
  const [text, setText] = useState('')
  useEffect(() => {
    let last = listing.shown.peek()[0]?.id ?? 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const say = (): void => {
      timer = undefined
      const shown = listing.shown.peek()
      const count = shown.filter(({ id }) => id > last).length
      last = shown[0]?.id ?? 0
      if (count > 0) setText(`${count} new request${count === 1 ? '' : 's'}, the last of them ${last}.`)
    }
    const stop = effect(() => {
      if ((listing.shown.value[0]?.id ?? 0) !== last) timer ??= setTimeout(say, GATHERED_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
  return <output class="requests-said">{text}</output>
}
