import { type Content, ResponseBody } from '../core/response.ts'
import type { Dataset } from '../store/dataset.ts'
import type { TableName } from '../store/tables.ts'

interface Cached {
  content: Content & { readonly body: ResponseBody }
  readonly dataset: Dataset
  /** The tables that the response depends on. */
  readonly reads: readonly TableName[]
  /** The session's time that the response depends on; undefined if it depends on none. */
  readonly at: string | undefined
  /** Units: bytes. */
  size: number
}

/** Units: bytes. */
const MAX_SIZE = 24 * 1_048_576

/** The memory of an entry besides its key and its body. Units: bytes, estimated. */
const OVERHEAD = 1_000

/** The latest responses, by caller and target. It holds the parts of their bodies, which records share. */
export class ResponseCache {
  readonly #kept = new Map<string, Cached>()
  #size = 0

  find(key: string): Cached | undefined {
    const cached = this.#kept.get(key)
    if (!cached) return undefined
    const { body } = cached.content
    if (body.parts.length === 1 || body.length > MAX_SIZE / 8) return cached
    // Asked for again: one piece of its own is faster to send than the parts.
    this.keep(
      key,
      { ...cached, content: { ...cached.content, body: ResponseBody.of(body.bytes) } },
      body.length,
    )
    return this.#kept.get(key)
  }

  /** @param own the bytes of the body that only the cache holds */
  keep(key: string, response: Omit<Cached, 'size'>, own = 0): void {
    this.#drop(key)
    const size = OVERHEAD + 2 * key.length + 8 * response.content.body.parts.length + own
    this.#kept.set(key, { ...response, size })
    this.#size += size
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= MAX_SIZE) return
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    this.#size -= this.#kept.get(key)?.size ?? 0
    this.#kept.delete(key)
  }
}
