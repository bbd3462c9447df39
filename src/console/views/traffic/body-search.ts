import { effect, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

import { RequestError, read } from '../../calls.ts'
import { prepare, routes } from '../../client.ts'
import { requests } from '../../live.ts'
import { session } from '../../place.ts'

/** The delay before a search, so that it does not run for every key. Units: milliseconds. */
const DELAY_MS = 150

/** The ids of the requests that have the searched text in their URL or a body. */
export const foundIds = signal<ReadonlySet<number>>(new Set())

/** Searches the bodies of all requests for a text, and those of new requests as they arrive. */
export function useBodySearch(text: string): void {
  useEffect(() => {
    foundIds.value = new Set()
    if (text.trim() === '') return undefined
    const controller = new AbortController()
    const stop: { now?: () => void } = {}
    const timer = setTimeout(() => {
      stop.now = follow(text.trim(), controller.signal)
    }, DELAY_MS)
    return () => {
      clearTimeout(timer)
      stop.now?.()
      controller.abort()
    }
  }, [text, session.value])
}

/** Searches whenever requests have changed, one call at a time; pending requests are searched again. */
function follow(text: string, until: AbortSignal): () => void {
  let searched: unknown
  let since = 0
  let isBusy = false
  const search = async (): Promise<void> => {
    const entries = requests.peek()
    if (isBusy || searched === entries || until.aborted) return
    isBusy = true
    searched = entries
    try {
      const query = { text, bodies: 'false', since: `${since}` } as const
      const { items } = await read(prepare('get', routes.requests, { query }), until)
      const pending = entries.find(({ status }) => status === 'pending')
      since = pending ? pending.id - 1 : (entries.at(-1)?.id ?? 0)
      if (items.length > 0) foundIds.value = new Set([...foundIds.peek(), ...items.map(({ id }) => id)])
    } catch (error) {
      // The list still matches by URL and caller.
      if (!until.aborted && !(error instanceof RequestError)) throw error
    } finally {
      isBusy = false
    }
    void search()
  }
  return effect(() => {
    void [requests.value]
    void search()
  })
}
