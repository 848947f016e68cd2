import type { PathEvents } from './path-events.ts';

/** Fills the remaining steps of a path that has no further events. */
export const NO_NAME = 0xffff_ffff;

/**
 * Returns the path of each unit (a session or a player), one path after the
 * other. A path is `steps` numbers, each of which stands for an event name.
 */
export function walkPaths(
  events: PathEvents,
  options: { steps: number; own_name: number; joins_repeats: boolean; is_next: boolean },
): Uint32Array {
  const { unit_count, order, starts, names } = events;
  const { steps, own_name, joins_repeats, is_next } = options;
  const walks = new Uint32Array(unit_count * steps).fill(NO_NAME);
  for (let unit = 0; unit < unit_count; unit++) {
    const [from, end] = [starts[unit]!, starts[unit + 1]!];
    sort(events, from, end);
    let last = own_name;
    let step = 0;
    for (let taken = 0; taken < end - from && step < steps; taken++) {
      const name = names[order[is_next ? from + taken : end - 1 - taken]!]!;
      if (joins_repeats && name === last) continue;
      walks[unit * steps + step++] = name;
      last = name;
    }
  }
  return walks;
}

const SHORT = 48;

/**
 * Sorts the events of a unit by their time, and at equal times in the order of sending. Most units have few
 * events, nearly in order. For these, the built-in `sort` takes ten times as long as this loop.
 */
function sort({ order, times, ids }: PathEvents, from: number, end: number): void {
  if (end - from > SHORT) {
    order.subarray(from, end).sort((a, b) => times[a]! - times[b]! || ids[a]! - ids[b]!);
    return;
  }
  for (let place = from + 1; place < end; place++) {
    const event = order[place]!;
    const time = times[event]!;
    let to = place;
    for (; to > from; to--) {
      const before = order[to - 1]!;
      const later = times[before]! - time || ids[before]! - ids[event]!;
      if (later <= 0) break;
      order[to] = before;
    }
    order[to] = event;
  }
}
