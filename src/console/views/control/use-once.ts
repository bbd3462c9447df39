import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

import { type Call, read } from '../../calls.ts'

const known = signal<ReadonlyMap<string, unknown>>(new Map())
const requested = new Set<string>()

/** A response that never changes; undefined until it is loaded. */
export interface Once<T> {
  readonly value: T | undefined
}

/** Reads a response once and keeps it. */
export function useReadOnce<T>(call: Call<T>): Once<T> {
  const { path } = call
  useEffect(() => {
    if (requested.has(path)) return
    requested.add(path)
    void loadOnce(call)
  }, [path])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored under the path of its call
  return { value: known.value.get(path) as T | undefined }
}

async function loadOnce(call: Call): Promise<void> {
  const { path } = call
  try {
    const value = await read(call)
    known.value = new Map(known.peek()).set(path, value)
  } catch {
    requested.delete(path)
  }
}
