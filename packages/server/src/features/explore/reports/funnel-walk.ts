/** The furthest attempt of a player. */
export interface Attempt {
  /** Number of steps taken; 0 when the player never began. */
  depth: number;
  /** Index of the event of the first step that began the attempt. */
  start: number;
  /** The time of each step. */
  times: Float64Array;
}

/** The events that a player must send, in order. */
interface FunnelRules {
  event_names: readonly string[];
  /** Longest time from the first step to any other, in the unit of the times. */
  window: number;
}

/**
 * Makes the function that finds which attempt of a player counts. This is the attempt that gets furthest; of
 * several such attempts, it is the first one. Any event of the first step begins an attempt. Each further
 * step is the earliest event that matches it. That event must not be earlier than the previous step, must be
 * after the last step with the same event name, and must be within the window after the first step.
 *
 * The earliest event is also the best one, because every event that can follow a later event can follow the
 * earliest event too. For the same reason, a later attempt never needs an event from before the events of an
 * earlier attempt. So each event is looked at once.
 *
 * @returns a function that takes the times of the matching events of each step, ascending. Its result is
 * valid until the next call.
 */
export function createFunnelWalk({ event_names, window }: FunnelRules) {
  const step_count = event_names.length;
  const same_before = event_names.map((name, step) => event_names.lastIndexOf(name, step - 1));
  // `lastIndexOf` counts a negative start from the end.
  same_before[0] = -1;
  const next = new Uint32Array(step_count);
  const times = new Float64Array(step_count);
  const best: Attempt = { depth: 0, start: 0, times: new Float64Array(step_count) };

  /** The number of steps of the attempt that begins with this event of the first step. */
  const tryFrom = (events: readonly Float64Array[], start: number): number => {
    times[0] = events[0]![start]!;
    const last = times[0] + window;
    for (let step = 1; step < step_count; step++) {
      const candidates = events[step]!;
      const same = same_before[step]!;
      const after = same === -1 ? -Infinity : times[same]!;
      let index = next[step]!;
      while (
        index < candidates.length &&
        (candidates[index]! < times[step - 1]! || candidates[index]! <= after)
      ) {
        index++;
      }
      next[step] = index;
      if (index === candidates.length || candidates[index]! > last) return step;
      times[step] = candidates[index]!;
    }
    return step_count;
  };

  return (events: readonly Float64Array[]): Attempt => {
    next.fill(0);
    best.depth = 0;
    const starts = events[0]!.length;
    for (let start = 0; start < starts && best.depth < step_count; start++) {
      const depth = tryFrom(events, start);
      if (depth <= best.depth) continue;
      best.depth = depth;
      best.start = start;
      best.times.set(times);
    }
    return best;
  };
}
