/** The connection that a request came by; a server's door supplies it. */
export interface Connection {
  /** Resets it: in Node, `outgoing.socket.resetAndDestroy()`. */
  reset(): void
  /** Ends it after what is written already: in Node, `outgoing.socket.destroySoon()`. */
  close(): void
}

const ended = new WeakSet()

/** Says whether an error stands for a connection that ended, so that nobody answers it. */
export function endsConnection(error: unknown): boolean {
  return typeof error === 'object' && error !== null && ended.has(error)
}

/** The error with which `fetch` fails where the server resets the connection. */
export function reset(): TypeError {
  return broken('fetch failed', 'ECONNRESET', 'read ECONNRESET')
}

/** The error with which `fetch` fails where the server closes the connection: before the answer, or amid its body. */
export function closed(message: 'fetch failed' | 'terminated'): TypeError {
  return broken(message, 'UND_ERR_SOCKET', 'other side closed')
}

/** Requests that wait; all of them go on when the sandbox closes. */
export class Waits {
  readonly #stops = new Set<() => void>()
  #isOver = false

  /** Ends every wait, and those to come. */
  end(): void {
    this.#isOver = true
    for (const stop of this.#stops) stop()
  }

  /** Waits so many milliseconds, or without end. Errors: the signal's reason where it aborts, as an error. */
  wait(delayMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop)
        this.#stops.delete(stop)
        if (signal.aborted) reject(abandoned(signal.reason))
        else resolve()
      }
      const timer = delayMs === Infinity ? undefined : setTimeout(stop, delayMs)
      signal.addEventListener('abort', stop)
      this.#stops.add(stop)
      if (signal.aborted || this.#isOver) stop()
    })
  }
}

/** The reason why a client gave up, marked as the end of its connection; an error where it is a text, as a server's is. */
function abandoned(reason: unknown): unknown {
  const error =
    typeof reason === 'object' && reason !== null ? reason : new Error(String(reason), { cause: reason })
  ended.add(error)
  return error
}

function broken(message: string, code: string, fact: string): TypeError {
  const error = new TypeError(message, { cause: Object.assign(new Error(fact), { code }) })
  ended.add(error)
  return error
}
