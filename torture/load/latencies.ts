/** Response times, counted by the millisecond. */
export interface Latencies {
  readonly count: number;
  add(duration_ms: number): void;
  /** Returns the time within which this share of the answers came. Returns 0 if there are no answers. */
  percentile(share: number): number;
  reset(): void;
}

const LONGEST_MS = 60_000;

export function createLatencies(): Latencies {
  const counts = new Uint32Array(LONGEST_MS + 1);
  let count = 0;
  return {
    get count() {
      return count;
    },
    add(duration_ms) {
      counts[Math.min(LONGEST_MS, Math.ceil(duration_ms))]! += 1;
      count += 1;
    },
    percentile(share) {
      let left = count * (1 - share);
      for (let duration_ms = LONGEST_MS; duration_ms > 0; duration_ms--) {
        left -= counts[duration_ms]!;
        if (left < 0) return duration_ms;
      }
      return 0;
    },
    reset() {
      counts.fill(0);
      count = 0;
    },
  };
}
