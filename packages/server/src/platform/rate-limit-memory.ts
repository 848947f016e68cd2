interface Window {
  count: number;
  started_at: number;
}

/** Past so many callers within a minute the one that has not come for longest is forgotten. */
const MAX_CALLERS = 100_000;

/**
 * Counts requests in this process. The limiter's own store hands out the very object that it counts
 * in: of requests that came at once, each then saw the count of all, and the first were refused too.
 */
export class RateLimitMemory {
  readonly #windows = new Map<string, Window>();

  /** Counts one more, and tells how many there are in this window and when it ends. */
  incr(
    caller: string,
    callback: (error: Error | null, counted: { current: number; ttl: number }) => void,
    window_ms: number,
  ): void {
    // A clock that is set anew begins no new window, nor keeps one from ending.
    const now = performance.now();
    let window = this.#windows.get(caller);
    if (window === undefined || window.started_at + window_ms <= now) {
      window = { count: 0, started_at: now };
    }
    window.count += 1;
    this.#windows.delete(caller);
    this.#windows.set(caller, window);
    if (this.#windows.size > MAX_CALLERS) {
      this.#windows.delete(this.#windows.keys().next().value!);
    }
    const ttl = Math.min(window_ms, Math.ceil(window.started_at + window_ms - now));
    callback(null, { current: window.count, ttl });
  }

  /** The limiter asks for one a route; ours count over all. */
  child(): this {
    return this;
  }
}
