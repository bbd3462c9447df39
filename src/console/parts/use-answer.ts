import { useEffect, useState } from 'preact/hooks'

import { ask, read, revision } from '../calls.ts'
import { session } from '../place.ts'

/** What the control plane is asked without anything being changed. */
export interface Question {
  /** With its query, from `/_sandbox` on. */
  readonly path: string
  /** Asked by POST where there is one. */
  readonly body?: unknown
}

/** What is known of an answer: the value of the latest one, and why there is no newer one. */
export interface Answer<T> {
  readonly value?: T
  readonly error?: unknown
  readonly isReading: boolean
}

/**
 * What the control plane answers, read anew whenever the question, the session or the data changes; the value before
 * stays until then. Undefined asks nothing.
 * @param again whatever else the answer depends on
 */
export function useAnswer<T>(question: Question | undefined, again?: unknown): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ isReading: question !== undefined })
  const text = question && JSON.stringify(question)
  useEffect(() => {
    if (text === undefined) {
      setAnswer({ isReading: false })
      return undefined
    }
    const over = new AbortController()
    setAnswer((before) => ({ ...before, isReading: true }))
    const { path, body }: Question = JSON.parse(text)
    const asked = body === undefined ? read<T>(path, over.signal) : ask<T>(path, body, over.signal)
    asked.then(
      (value) => over.signal.aborted || setAnswer({ value, isReading: false }),
      (error: unknown) => over.signal.aborted || setAnswer({ error, isReading: false }),
    )
    return () => over.abort()
  }, [text, session.value, revision.value, again])
  return answer
}
