export interface Connection {
  /** Resets the connection; in Node, `outgoing.socket.resetAndDestroy()`. */
  reset(): void
  /** Closes the connection once all written data is sent; in Node, `outgoing.socket.destroySoon()`. */
  close(): void
}

const connectionErrors = new WeakSet()

export function endsConnection(error: unknown): boolean {
  return typeof error === 'object' && error !== null && connectionErrors.has(error)
}

/** Creates the error of `fetch`. @param isReset whether the connection is reset rather than closed */
export function createConnectionError(message: 'fetch failed' | 'terminated', isReset = false): TypeError {
  const cause = isReset
    ? Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    : Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
  const error = new TypeError(message, { cause })
  connectionErrors.add(error)
  return error
}

export interface Wait<T> {
  /** Shape: undefined if the time was over first. */
  readonly over: Promise<T | undefined>
  /** Ends the wait with a result; returns false if it was over already. */
  readonly end: (result?: T) => boolean
}

export class Waits {
  readonly #stops = new Set<() => void>()
  #isOver = false

  end(): void {
    this.#isOver = true
    for (const stop of this.#stops) stop()
  }

  /** Waits for a time, which may be infinite. Errors: the reason of the signal if it aborts; `endsConnection` recognizes it. */
  begin<T>(delayMs: number, signal: AbortSignal): Wait<T> {
    let settle: ((result?: T) => void) | undefined
    const over = new Promise<T | undefined>((resolve, reject) => {
      settle = (result) => (signal.aborted ? reject(toConnectionError(signal.reason)) : resolve(result))
    })
    const end = (result?: T): boolean => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      const isOpen = this.#stops.delete(stop)
      if (isOpen) settle?.(result)
      return isOpen
    }
    const stop = (): void => void end()
    const timer = delayMs === Infinity ? undefined : setTimeout(stop, delayMs)
    signal.addEventListener('abort', stop)
    this.#stops.add(stop)
    if (signal.aborted || this.#isOver) stop()
    return { over, end }
  }
}

function toConnectionError(reason: unknown): unknown {
  const error =
    typeof reason === 'object' && reason !== null ? reason : new Error(String(reason), { cause: reason })
  connectionErrors.add(error)
  return error
}
