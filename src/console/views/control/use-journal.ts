import { useEffect, useState } from 'preact/hooks'

import { requests } from '../../live.ts'

/** The shortest interval between reloads. Units: milliseconds. */
const BEAT_MS = 300

/** Returns a number that increases as requests arrive and finish. */
export function useJournalRevision(): number {
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
