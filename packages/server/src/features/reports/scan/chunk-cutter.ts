/**
 * The time that one statement should take. It is short, so that a busy server can pause between
 * statements. It is not shorter, because planning a statement takes a millisecond.
 */
const CHUNK_MS = 50;
/**
 * The first chunk has the events that were received in this span of time. The
 * length of each later chunk depends on how long it took to read the chunk before.
 */
const FIRST_CHUNK_MS = 60_000;
/** The largest factor by which a chunk may be longer or shorter than the chunk before. */
const MAX_GROWTH = 4;
/**
 * At a microsecond per event, the largest report takes 20 s, which
 * is 400 times `CHUNK_MS`. More chunks would only cost time.
 */
const MAX_CHUNKS = 400;

/** A span of time, in which events were received. */
export interface Chunk {
  from_ms: number;
  to_ms: number;
}

/**
 * Cuts a span of time into chunks that take about the same time to read, however many events they
 * have.
 */
export function createChunkCutter(first_ms: number, end_ms: number) {
  // When every statement is slow, as on a slow network or a busy machine, shorter chunks do not help.
  // If chunks became ever shorter, the scan would never end.
  const least_ms = (end_ms - first_ms) / MAX_CHUNKS;
  let overhead_ms = Infinity;
  let next_ms = first_ms;
  let length_ms = FIRST_CHUNK_MS;
  return {
    /** Returns the next chunk, or null at the end. Several readers may call this function. */
    next(): Chunk | null {
      if (next_ms >= end_ms) return null;
      const from_ms = next_ms;
      next_ms = Math.min(end_ms, Math.ceil(from_ms + length_ms));
      return { from_ms, to_ms: next_ms };
    },
    /** Adapts the length of later chunks to the time that it took to read this chunk. */
    note({ from_ms, to_ms }: Chunk, took_ms: number) {
      overhead_ms = Math.min(overhead_ms, took_ms);
      const growth = CHUNK_MS / Math.max(took_ms - overhead_ms, CHUNK_MS / MAX_GROWTH);
      length_ms = Math.max((to_ms - from_ms) * Math.max(growth, 1 / MAX_GROWTH), least_ms);
    },
  };
}
