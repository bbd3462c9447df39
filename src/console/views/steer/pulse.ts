import { useEffect, useState } from 'preact/hooks'

import { requests } from '../../live.ts'

/** How often what requests change is read anew at most. Units: milliseconds. */
const BEAT_MS = 300

/** A number that grows as requests arrive and are answered. */
export function usePulse(): number {
  const [beat, setBeat] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const known = requests.peek()
    const unsubscribe = requests.subscribe((now) => {
      if (now === known) return
      timer ??= setTimeout(() => {
        timer = undefined
        setBeat((count) => count + 1)
      }, BEAT_MS)
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
    }
  }, [])
  return beat
}
