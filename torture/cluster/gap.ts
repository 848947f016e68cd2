/** The longest time in which no write of a game was acknowledged. */
export interface Gap {
  /** Call at each acknowledged write. */
  note(): void;
  /** Starts the measurement again at this moment. */
  restart(): void;
  /** The longest time so far; the time since the last write counts too. */
  readonly longest_ms: number;
  /** True if a write was acknowledged since the measurement began. */
  readonly has_ended: boolean;
}

export function createGap(): Gap {
  let last_at = performance.now();
  let longest_ms = 0;
  let has_ended = false;
  const read = () => Math.max(longest_ms, performance.now() - last_at);
  return {
    note() {
      longest_ms = read();
      last_at = performance.now();
      has_ended = true;
    },
    restart() {
      longest_ms = 0;
      last_at = performance.now();
      has_ended = false;
    },
    get longest_ms() {
      return read();
    },
    get has_ended() {
      return has_ended;
    },
  };
}
