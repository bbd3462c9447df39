import type { Content } from '../core/response.ts'
import type { Dataset } from '../store/dataset.ts'
import type { TableName } from '../store/tables.ts'

interface Cached {
  content: Content
  readonly dataset: Dataset
  /** The tables that the response depends on. */
  readonly reads: readonly TableName[]
  /** The session's time that the response depends on; undefined if it depends on none. */
  readonly at: string | undefined
  /** Units: bytes. */
  readonly size: number
}

/** Units: bytes. */
export const MAX_SIZE = 24 * 1_048_576

/** The latest responses, by caller and target. */
export class ResponseCache extends Map<string, Cached> {
  #size = 0

  keep(key: string, response: Cached): void {
    this.#size += response.size - (this.get(key)?.size ?? 0)
    this.delete(key)
    this.set(key, response)
    for (const [oldest, { size }] of this) {
      if (this.#size <= MAX_SIZE) return
      this.delete(oldest)
      this.#size -= size
    }
  }
}
