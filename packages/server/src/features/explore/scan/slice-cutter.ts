/**
 * What reading the events of a statement should take. They are short so that a busy server can put
 * pauses between them, and no shorter, as planning one costs a millisecond.
 */
const SLICE_MS = 50;
/** The first slice, in time of receipt; further ones are made as long as they take. */
const FIRST_SLICE_MS = 60_000;
/** How much longer, or shorter, than the last a slice may be. */
const MAX_GROWTH = 4;
/** As many as the most events take, at a microsecond each: more would only cost. */
const MAX_SLICES = 400;

/** A part of the time in which events were received. */
export interface Slice {
  from_ms: number;
  to_ms: number;
}

/** Cuts a time into slices that take about as long as they should, however many events are in them. */
export interface SliceCutter {
  /** The next, for whoever asks; null when there is none. */
  next(): Slice | null;
  /** Learns from how long one took. */
  note(slice: Slice, took_ms: number): void;
}

export function createSliceCutter(first_ms: number, end_ms: number): SliceCutter {
  // Where every statement takes long, as on a slow network or a busy machine, shorter ones do not
  // help: cut ever shorter, they would never come to an end.
  const least_ms = (end_ms - first_ms) / MAX_SLICES;
  let overhead_ms = Infinity;
  let next_ms = first_ms;
  let length_ms = FIRST_SLICE_MS;
  return {
    next() {
      if (next_ms >= end_ms) return null;
      const from_ms = next_ms;
      next_ms = Math.min(end_ms, Math.ceil(from_ms + length_ms));
      return { from_ms, to_ms: next_ms };
    },
    note({ from_ms, to_ms }, took_ms) {
      overhead_ms = Math.min(overhead_ms, took_ms);
      const growth = SLICE_MS / Math.max(took_ms - overhead_ms, SLICE_MS / MAX_GROWTH);
      length_ms = Math.max((to_ms - from_ms) * Math.max(growth, 1 / MAX_GROWTH), least_ms);
    },
  };
}
