/** An attempt of a player to take the steps of a funnel. */
export interface Attempt {
  /** The number of steps taken; 0 when the player never took the first step. */
  depth: number;
  /** The event with which the attempt began, as an index into the events of the first step. */
  start: number;
  /** The time of each step. */
  times: Float64Array;
}

/** The events that a player must send, in order. */
interface FunnelRules {
  event_names: readonly string[];
  /** The longest time that any step may come after the first one, in the unit of the times. */
  window: number;
}

/**
 * Makes a function that finds the attempt of a player that counts. This is the attempt with the most steps,
 * and the first one if several have as many. Any event of the first step begins an attempt. Each further
 * step takes the earliest event that matches the step, that is not earlier than the previous step, that is
 * later than the previous step with the same event name, and that is within the window after the first step.
 *
 * The earliest event is also the best one, because every event that can follow a later event can
 * follow the earliest event too. For the same reason, a later attempt never needs an event that
 * an earlier attempt has passed over. The function therefore looks at each event only once.
 *
 * @returns a function that takes, for each step, the times of the matching events
 * in ascending order. The attempt that it returns is valid until the next call.
 */
export function createFunnelWalk({ event_names, window }: FunnelRules) {
  const step_count = event_names.length;
  const same_before = event_names.map((name, step) => event_names.lastIndexOf(name, step - 1));
  // For the first step, `lastIndexOf` has searched from the
  // end, because it counts a negative start from the end.
  same_before[0] = -1;
  const next = new Uint32Array(step_count);
  const times = new Float64Array(step_count);
  const best: Attempt = { depth: 0, start: 0, times: new Float64Array(step_count) };

  /** Returns the number of steps of the attempt that begins with event `start` of the first step. */
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
