import type { Content } from '../core/response.ts'
import type { Dataset } from '../store/dataset.ts'
import type { TableName } from '../store/tables.ts'

interface CachedResponse {
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
export class ResponseCache extends Map<string, CachedResponse> {
  #size = 0

  override set(key: string, response: CachedResponse): this {
    this.delete(key)
    super.set(key, response)
    this.#size += response.size
    for (const oldest of this.keys()) {
      if (this.#size <= MAX_SIZE) break
      this.delete(oldest)
    }
    return this
  }

  override delete(key: string): boolean {
    this.#size -= this.get(key)?.size ?? 0
    return super.delete(key)
  }
}
