/** The time of the server, as learnt from its answers. */
export interface ServerClock {
  /** True once the server has answered. A proxy may have removed the time from the answer. */
  readonly isKnown: boolean;
  /** Milliseconds to add to the clock of this device; 0 while the device's clock may be right. */
  readonly ahead_ms: number;
  /** Learns from the `Date` header of an answer, which has whole seconds. */
  learn(date: string | null, sent_at: number, received_at: number): void;
}

export const createServerClock = (): ServerClock => {
  // The offset lies between these two bounds.
  let least = -Infinity;
  let most = Infinity;

  const clock = {
    isKnown: false,
    ahead_ms: 0,
    learn: (date: string | null, sent_at: number, received_at: number) => {
      clock.isKnown = true;
      const seconds = Date.parse(date ?? '');
      if (!seconds) return;
      const low = seconds - received_at;
      const high = seconds + 1_000 - sent_at;
      const isChanged = low > most || high < least;
      least = isChanged ? low : Math.max(least, low);
      most = isChanged ? high : Math.min(most, high);
      const mayBeRight = least <= 0 && most >= 0;
      clock.ahead_ms = mayBeRight ? 0 : Math.round((least + most) / 2);
    },
  };
  return clock;
};
