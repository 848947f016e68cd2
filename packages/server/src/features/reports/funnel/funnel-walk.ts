/** An attempt of a player to take the steps of a funnel. */
export interface Attempt {
  /** The number of steps taken; 0 when the player never took the first step. */
  depth: number;
  /** The event with which the attempt began, as an index into the events of the first step. */
  start: number;
  /** The time of each step. */
  times: Float64Array;
}

/** The names of the events that a player must send, in this order, and the time allowed for them. */
interface FunnelRules {
  event_names: readonly string[];
  /** The longest time from the first step to any other step, in the same unit as the times of events. */
  window: number;
}

/**
 * Makes a function that finds a player's best attempt: the one with the most steps, or the earliest of those
 * if several have equally many. Every event of the first step begins an attempt. Each further step takes the
 * earliest event that meets these conditions: it matches the step, it is not earlier than the previous step,
 * it is later than the last step before it with the same event name, and it is within the window after the
 * first step.
 *
 * The earliest such event is also the best one, because every event that can follow a later event can follow
 * the earliest event too. For the same reason, a later attempt never needs an event that an earlier attempt
 * has passed over. The function therefore passes each event of a step only once.
 *
 * @returns a function that takes the times of the events of each step in ascending order, one step after the
 * other, and the places where each step begins and the last one ends. (A list for each step would be an object
 * for each step of each player.) The attempt that it returns is valid until the next call.
 */
export function createFunnelWalk({ event_names, window }: FunnelRules) {
  const step_count = event_names.length;
  const same_before = event_names.map((name, step) => event_names.lastIndexOf(name, step - 1));
  // For the first step, `lastIndexOf` got the start -1, which means the last step, and may have found a step.
  // But no step comes before the first one.
  same_before[0] = -1;
  const next = new Uint32Array(step_count);
  const times = new Float64Array(step_count);
  const best: Attempt = { depth: 0, start: 0, times: new Float64Array(step_count) };

  /** Makes the attempt that begins with the event at `start`, and returns its number of steps. */
  const tryFrom = (events: Float64Array, bounds: Uint32Array, start: number): number => {
    times[0] = events[start]!;
    const last = times[0] + window;
    for (let step = 1; step < step_count; step++) {
      const same = same_before[step]!;
      const before = times[step - 1]!;
      const after = same === -1 ? -Infinity : times[same]!;
      const end = bounds[step + 1]!;
      let place = next[step]!;
      while (place < end && (events[place]! < before || events[place]! <= after)) place++;
      next[step] = place;
      if (place === end || events[place]! > last) return step;
      times[step] = events[place]!;
    }
    return step_count;
  };

  return (events: Float64Array, bounds: Uint32Array): Attempt => {
    for (let step = 0; step < step_count; step++) next[step] = bounds[step]!;
    best.depth = 0;
    const end = bounds[1]!;
    for (let start = bounds[0]!; start < end && best.depth < step_count; start++) {
      const depth = tryFrom(events, bounds, start);
      if (depth <= best.depth) continue;
      best.depth = depth;
      best.start = start - bounds[0]!;
      for (let step = 0; step < step_count; step++) best.times[step] = times[step]!;
    }
    return best;
  };
}
