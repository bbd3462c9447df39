import { useEffect, useRef, useState } from 'preact/hooks'

import { prepare, routes } from '../../client.ts'
import { announce } from '../../components/announcer.tsx'
import { Select } from '../../components/form.tsx'
import { formatInstant } from '../../components/format.tsx'
import { Button } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { param, setQuery } from '../../place.ts'
import type { MoveClock } from './clock-page.tsx'

/** How far the clock moves each second. */
const speeds = { PT1H: '1 hour a second', P1D: '1 day a second', P7D: '1 week a second' }

/** The time between two steps. Units: milliseconds. */
const STEP_MS = 1_000

interface PlayerProps {
  readonly now: string
  readonly move: MoveClock
  /** Called when the clock begins to play. */
  readonly begin: () => void
}

/** Renders the buttons that let the clock play, pause, and step to the next event. */
export function Player({ now, move, begin }: PlayerProps) {
  const by = param('speed') || 'P1D'
  const [isPlaying, setPlaying] = useState(false)
  const step = useRef(() => Promise.resolve(false))
  step.current = () => move(prepare('post', routes.clock.advance, { json: { by } }), true)
  // Repeats the step until one fails.
  useEffect(() => {
    if (!isPlaying) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const play = async (): Promise<void> => {
      const isDone = await step.current()
      if (isOver) return
      if (isDone) timer = setTimeout(() => void play(), STEP_MS)
      else setPlaying(false)
    }
    void play()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isPlaying])
  const { next = '' } = useRead(prepare('get', routes.clock.events, { query: {} }), now).value ?? {}
  const toggle = (): void => {
    if (isPlaying) announce(`Paused at ${formatInstant(now)}.`)
    else begin()
    setPlaying(!isPlaying)
  }
  return (
    <>
      <Button class="primary" run={toggle}>
        {isPlaying ? 'Pause' : 'Play'}
      </Button>
      <Button disabled={next <= now} run={() => move(prepare('put', routes.clock, { json: { now: next } }))}>
        Next event
      </Button>
      <Select label="Speed" value={by} set={(speed) => setQuery({ speed })} options={speeds} />
    </>
  )
}
