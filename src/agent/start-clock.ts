/** Timers take no more: some 24 days. */
export const LONGEST_TIME = 2 ** 31 - 1

/** A clock that keeps the process alive: a run that waits for nothing else must still come to its end. */
export function startClock(time: number): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController()
  const ring = () => controller.abort(new DOMException('The time of the run is up.', 'TimeoutError'))
  const timer = Number.isFinite(time) ? setTimeout(ring, Math.min(time, LONGEST_TIME)) : undefined
  return { signal: controller.signal, stop: () => clearTimeout(timer) }
}
