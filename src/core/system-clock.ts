/** Reads the machine's time; the only function that does. Units: an instant in UTC with milliseconds. */
export function systemTime(): string {
  return new Date().toISOString()
}

/** Reads the machine's monotonic clock. Units: milliseconds since some moment. */
export function stopwatch(): number {
  return performance.now()
}

/** Captured, because tests replace the timers of their process. */
const { setTimeout: callLater, clearTimeout: cancelCall, setImmediate: callInNextTurn } = globalThis

/** Lets other tasks run before the caller goes on. */
export const letOthersRun = (): Promise<void> => new Promise((resolve) => callLater(resolve, 0))

/** Lets Node read what has arrived: a turn of its event loop reads input between two of these calls. */
export const letInputArrive = (): Promise<void> =>
  new Promise((resolve) => callInNextTurn(() => callInNextTurn(resolve)))

/** Starts a timer: `over` resolves when its time has passed, unless it is stopped before. */
export function startTimer(ms: number): { readonly over: Promise<void>; readonly stop: () => void } {
  let handle: ReturnType<typeof callLater> | undefined
  const over = new Promise<void>((resolve) => (handle = callLater(resolve, ms)))
  return { over, stop: () => cancelCall(handle) }
}

/** Converts a reading of the stopwatch to the machine's time. Units: an instant in UTC with milliseconds. */
export function toSystemTime(stopwatchMs: number): string {
  return new Date(performance.timeOrigin + stopwatchMs).toISOString()
}
