interface Window {
  count: number;
  started_at: number;
}

/** At least this many callers are remembered and at most twice as many, which takes 20 MB. */
const LEAST_CALLERS = 50_000;

/**
 * Counts requests in this process. The plugin's own store hands out the object that it counts in. So
 * each of many simultaneous requests would see the count of all, and the first would be refused too.
 */
export class RateLimitMemory {
  #recent = new Map<string, Window>();
  /** Callers without a request since `#recent` began; forgotten when `#recent` is full. */
  #earlier = new Map<string, Window>();

  /** Counts a request, and gives the count of this window and the time until its end. */
  incr(
    caller: string,
    callback: (error: Error | null, counted: { current: number; ttl: number }) => void,
    window_ms: number,
  ): void {
    // This clock runs on when the system's clock is set.
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

  /** The plugin asks for a store for each route; this one counts all routes together. */
  child(): this {
    return this;
  }
}
