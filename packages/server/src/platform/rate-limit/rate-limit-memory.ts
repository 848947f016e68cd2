interface Window {
  count: number;
  started_at: number;
}

/** At least so many callers are remembered, and twice as many at most: made-up ones take 20 MB. */
const LEAST_CALLERS = 50_000;

/**
 * Counts requests in this process. The limiter's own store hands out the very object that it counts
 * in: of requests that came at once, each then saw the count of all, and the first were refused too.
 */
export class RateLimitMemory {
  #recent = new Map<string, Window>();
  /** Those that have not come since the others began; forgotten when there are as many others. */
  #earlier = new Map<string, Window>();

  /** Counts one more, and tells how many there are in this window and when it ends. */
  incr(
    caller: string,
    callback: (error: Error | null, counted: { current: number; ttl: number }) => void,
    window_ms: number,
  ): void {
    // A clock that is set anew begins no new window, nor keeps one from ending.
    const now = performance.now();
    let window = this.#recent.get(caller) ?? this.#earlier.get(caller);
    if (window === undefined || window.started_at + window_ms <= now) {
      window = { count: 0, started_at: now };
    }
    window.count += 1;
    this.#recent.set(caller, window);
    if (this.#recent.size >= LEAST_CALLERS) {
      this.#earlier = this.#recent;
      this.#recent = new Map();
    }
    const ttl = Math.min(window_ms, Math.ceil(window.started_at + window_ms - now));
    callback(null, { current: window.count, ttl });
  }

  /** The limiter asks for one a route; ours count over all. */
  child(): this {
    return this;
  }
}
