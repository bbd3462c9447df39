import { useEffect, useRef, useState } from 'preact/hooks'

import { prepare, routes } from '../../client.ts'
import { announce } from '../../components/announcer.tsx'
import { Select } from '../../components/form.tsx'
import { formatInstant } from '../../components/format.tsx'
import { useRead } from '../../components/use-calls.ts'
import { place, setQuery } from '../../place.ts'
import type { MoveClock } from './clock-page.tsx'

/** How far the clock moves each second. */
const speeds = { PT1H: '1 hour a second', P1D: '1 day a second', P7D: '1 week a second' }

/** The time between two steps. Units: milliseconds. */
const STEP_MS = 1_000

/** Repeats a step until it fails or the player is paused. */
function useRepetition(step: () => Promise<boolean>) {
  const [isPlaying, setPlaying] = useState(false)
  const latest = useRef(step)
  latest.current = step
  useEffect(() => {
    if (!isPlaying) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const next = async (): Promise<void> => {
      const isDone = await latest.current()
      if (isOver) return
      if (isDone) timer = setTimeout(() => void next(), STEP_MS)
      else setPlaying(false)
    }
    void next()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isPlaying])
  return { isPlaying, setPlaying }
}

interface PlayerProps {
  readonly now: string
  readonly move: MoveClock
  /** Called when the clock begins to play. */
  readonly begin: () => void
}

/** Renders the buttons that let the clock play, pause, and step to the next event. */
export function Player({ now, move, begin }: PlayerProps) {
  const by = place.value.query.get('speed') ?? 'P1D'
  const { isPlaying, setPlaying } = useRepetition(() =>
    move(prepare('post', routes.clock.advance, { json: { by } }), true),
  )
  const next = useRead(prepare('get', routes.clock.events, { query: {} }), now).value?.next
  const toggle = (): void => {
    if (isPlaying) announce(`Paused at ${formatInstant(now)}.`)
    else begin()
    setPlaying(!isPlaying)
  }
  const step = (): void => {
    if (next !== undefined) void move(prepare('put', routes.clock, { json: { now: next } }))
  }
  return (
    <div class="row">
      <button type="button" class="primary" onClick={toggle}>
        {isPlaying ? 'Pause' : 'Play'}
      </button>
      <button type="button" disabled={next === undefined || next <= now} onClick={step}>
        Next event
      </button>
      <Select label="Speed" value={by} set={(speed) => setQuery({ speed })} options={speeds} />
    </div>
  )
}
