/** Counts by network, for example of clients that were cut off. Each window starts from zero. */
export interface NetworkCounts {
  /** @returns The count of the network with `more` added. */
  add(network: string, more: number): number;
}

/** @param window_ms Length of a window; the first begins now. */
export function createNetworkCounts(window_ms: number): NetworkCounts {
  const counts = new Map<string, number>();
  let window_began = performance.now();
  return {
    add(network, more) {
      const now = performance.now();
      if (now - window_began > window_ms) {
        counts.clear();
        window_began = now;
      }
      const count = (counts.get(network) ?? 0) + more;
      if (more > 0) counts.set(network, count);
      return count;
    },
  };
}
