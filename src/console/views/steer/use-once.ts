import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

import { read } from '../../calls.ts'

const known = signal<ReadonlyMap<string, unknown>>(new Map())
const asked = new Set<string>()

/** An answer that nothing changes; undefined until there is one. */
export interface Once<T> {
  readonly value: T | undefined
}

/** What the sandbox answers to a path, read once. Shape: T. */
export function useOnce<T>(path: string): Once<T> {
  useEffect(() => {
    if (asked.has(path)) return
    asked.add(path)
    void remember(path)
  }, [path])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the caller knows it
  return { value: known.value.get(path) as T | undefined }
}

async function remember(path: string): Promise<void> {
  try {
    const value = await read<unknown>(path)
    known.value = new Map(known.peek()).set(path, value)
  } catch {
    asked.delete(path)
  }
}
