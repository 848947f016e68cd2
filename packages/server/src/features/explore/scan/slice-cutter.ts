/**
 * The time that one statement should take. It is short, so that a busy server can put pauses
 * between statements, and not shorter, because planning a statement takes a millisecond.
 */
const SLICE_MS = 50;
/** Length of the first slice, in time of receipt. Further slices depend on how long each took. */
const FIRST_SLICE_MS = 60_000;
/** The most by which a slice may be longer or shorter than the last one. */
const MAX_GROWTH = 4;
/**
 * The most events of a report take 20 s, at a microsecond each; more slices would only cost time.
 */
const MAX_SLICES = 400;

/** A span of time, in which events were received. */
export interface Slice {
  from_ms: number;
  to_ms: number;
}

/**
 * Cuts a span of time into slices that take about the same time to read, however many events they
 * have.
 */
interface SliceCutter {
  /** The next slice; null at the end. Several readers may ask. */
  next(): Slice | null;
  /** Learns from the time that a slice took. */
  note(slice: Slice, took_ms: number): void;
}

export function createSliceCutter(first_ms: number, end_ms: number): SliceCutter {
  // When every statement is slow, as on a slow network or a busy machine, shorter slices do not
  // help. Cut ever shorter, they would never come to an end.
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
