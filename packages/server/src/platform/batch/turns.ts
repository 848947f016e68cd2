/** The limits of a batch. */
interface BatchBounds {
  max_requests: number;
  /** A larger request is a batch by itself. */
  max_bytes: number;
}

/** Requests that wait for a batch. Their games take turns. */
interface Turns<Waiting> {
  /** The number of waiting requests; `bytes` is the sum of their bytes. */
  readonly length: number;
  readonly bytes: number;
  add(game: string, waiting: Waiting): void;
  /** The number of batches that all waiting requests would fill, with fractions. */
  countBatches(): number;
  /**
   * The maximum number of batches that are sent before a new request of the game. Counts all requests as
   * having the mean size.
   */
  countBatchesBefore(game: string): number;
  /** Removes and returns the requests of the next batch; an empty list if no request waits. */
  takeBatch(): Waiting[];
}

/** The waiting requests of one game, in the order in which they came. */
interface GameQueue<Waiting> {
  waiting: Waiting[];
  /** The number of the game's requests that are in the current batch. */
  taken: number;
}

/**
 * Makes the queue of a batcher. A batch takes one request of each game, then a second request of each game,
 * and so on until it is full. A game whose next request does not fit into the rest of a batch waits for the
 * next batch. The next batch begins with the games from which this batch took nothing.
 */
export function createTurns<Waiting extends { bytes: number }>({
  max_requests,
  max_bytes,
}: BatchBounds): Turns<Waiting> {
  /** The queues of the games, in the order of their turns. */
  const queues = new Map<string, GameQueue<Waiting>>();
  let length = 0;
  let bytes = 0;

  /** Removes the requests that a batch has taken, and moves games that still have requests to the end. */
  const removeTaken = () => {
    for (const [game, queue] of queues) {
      const { waiting, taken } = queue;
      if (taken === 0) continue;
      queues.delete(game);
      if (taken === waiting.length) continue;
      queue.waiting = waiting.slice(taken);
      queue.taken = 0;
      queues.set(game, queue);
    }
  };

  const takeAll = () => {
    const [first = [], ...others] = Array.from(queues.values(), ({ waiting }) => waiting);
    queues.clear();
    length = 0;
    bytes = 0;
    return others.length === 0 ? first : first.concat(...others);
  };

  const countBatches = () => Math.max(length / max_requests, bytes / max_bytes);

  return {
    get length() {
      return length;
    },
    get bytes() {
      return bytes;
    },
    add(game, waiting) {
      let queue = queues.get(game);
      if (queue === undefined) {
        queue = { waiting: [], taken: 0 };
        queues.set(game, queue);
      }
      queue.waiting.push(waiting);
      length += 1;
      bytes += waiting.bytes;
    },
    countBatches,
    countBatchesBefore(game) {
      if (length === 0) return 0;
      const own = queues.get(game)?.waiting.length ?? 0;
      const others = queues.has(game) ? queues.size - 1 : queues.size;
      // Before the new request come all waiting requests of its game, and in each turn one request of each
      // other game.
      const requests = Math.min(length, own + (own + 1) * others);
      return (requests / length) * countBatches();
    },
    takeBatch() {
      if (length <= max_requests && bytes <= max_bytes) return takeAll();
      const batch: Waiting[] = [];
      let batch_bytes = 0;
      const open = [...queues.values()];
      for (let count = open.length; count > 0 && batch.length < max_requests;) {
        let kept = 0;
        for (let index = 0; index < count && batch.length < max_requests; index++) {
          const queue = open[index]!;
          const next = queue.waiting[queue.taken];
          if (next === undefined) continue;
          if (batch.length > 0 && batch_bytes + next.bytes > max_bytes) continue;
          batch.push(next);
          batch_bytes += next.bytes;
          queue.taken += 1;
          open[kept++] = queue;
        }
        count = kept;
      }
      length -= batch.length;
      bytes -= batch_bytes;
      removeTaken();
      return batch;
    },
  };
}
