/** Bounds of a batch. */
interface BatchBounds {
  max_requests: number;
  /** A request that is larger by itself is a batch alone. */
  max_bytes: number;
}

/** Requests that wait for a batch. Their games take turns. */
export interface Turns<Waiting> {
  /** Number and bytes of the requests. */
  readonly length: number;
  readonly bytes: number;
  add(game: string, waiting: Waiting): void;
  /** The number of batches, with fractions, that all requests would fill. */
  countBatches(): number;
  /** The same for the requests that come before a new request of the game, at most. */
  countBatchesBefore(game: string): number;
  /** Takes the requests of the next batch out; an empty list when none waits. */
  takeBatch(): Waiting[];
}

/** The waiting requests of one game, in the order they came. */
interface Lane<Waiting> {
  waiting: Waiting[];
  bytes: number;
  /** Requests that the batch takes, which is being made. */
  taken: number;
}

/**
 * Makes the queue of a batcher. A batch takes one request of each game, then another of each, until it
 * is full. A game whose next request is larger than the rest of a batch waits for the next one. Games of
 * which a batch took nothing come before the others then.
 */
export function createTurns<Waiting extends { bytes: number }>({
  max_requests,
  max_bytes,
}: BatchBounds): Turns<Waiting> {
  /** In the order of their turns. */
  const lanes = new Map<string, Lane<Waiting>>();
  let length = 0;
  let bytes = 0;

  /** Puts games that have more requests last. */
  const shortenLanes = () => {
    for (const [game, lane] of lanes) {
      const { waiting, taken } = lane;
      if (taken === 0) continue;
      lanes.delete(game);
      if (taken === waiting.length) continue;
      lane.waiting = waiting.slice(taken);
      lane.taken = 0;
      lanes.set(game, lane);
    }
  };

  const takeAll = () => {
    const [first = [], ...others] = Array.from(lanes.values(), ({ waiting }) => waiting);
    lanes.clear();
    length = 0;
    bytes = 0;
    return others.length === 0 ? first : first.concat(...others);
  };

  return {
    get length() {
      return length;
    },
    get bytes() {
      return bytes;
    },
    add(game, waiting) {
      let lane = lanes.get(game);
      if (lane === undefined) {
        lane = { waiting: [], bytes: 0, taken: 0 };
        lanes.set(game, lane);
      }
      lane.waiting.push(waiting);
      lane.bytes += waiting.bytes;
      length += 1;
      bytes += waiting.bytes;
    },
    countBatches: () => Math.max(length / max_requests, bytes / max_bytes),
    countBatchesBefore(game) {
      const own = lanes.get(game);
      if (own === undefined) return 0;
      const requests = Math.min(length, own.waiting.length * lanes.size);
      return Math.max(requests / max_requests, Math.min(bytes, own.bytes * lanes.size) / max_bytes);
    },
    takeBatch() {
      if (length <= max_requests && bytes <= max_bytes) return takeAll();
      const batch: Waiting[] = [];
      let batch_bytes = 0;
      const open = [...lanes.values()];
      for (let count = open.length; count > 0 && batch.length < max_requests;) {
        let kept = 0;
        for (let index = 0; index < count && batch.length < max_requests; index++) {
          const lane = open[index]!;
          const next = lane.waiting[lane.taken];
          if (next === undefined) continue;
          if (batch.length > 0 && batch_bytes + next.bytes > max_bytes) continue;
          batch.push(next);
          batch_bytes += next.bytes;
          lane.taken += 1;
          lane.bytes -= next.bytes;
          open[kept++] = lane;
        }
        count = kept;
      }
      length -= batch.length;
      bytes -= batch_bytes;
      shortenLanes();
      return batch;
    },
  };
}
