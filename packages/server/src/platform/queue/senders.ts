import { createSequence } from './sequence.ts';

const CLOSE_TIMEOUT_MS = 3_000;

/**
 * Sends what waits in the database, several pieces at a time.
 * @param options.max The most pieces that are sent at the same time.
 * @param options.claim Claims the next piece. Claims run one after the other. Null if none can be sent now.
 * @param options.send Sends a claimed piece. The signal cuts it off while the server stops.
 * @param options.onError Called if `claim` or `send` fails. The other senders go on.
 */
export function createSenders<T>(options: {
  max: number;
  claim: () => Promise<T | null>;
  send: (piece: T, cut_off: AbortSignal) => Promise<void>;
  onError: (error: unknown) => void;
}) {
  const { max, claim, send, onError } = options;
  const stopped = new AbortController();
  const cutOff = new AbortController();
  const senders = new Set<Promise<void>>();
  const inOrder = createSequence();

  const sendAll = async () => {
    while (!stopped.signal.aborted) {
      const piece = await inOrder(claim);
      if (piece === null) return;
      start();
      await send(piece, cutOff.signal);
    }
  };
  const start = () => {
    if (senders.size >= max || stopped.signal.aborted) return;
    const sender = sendAll()
      .catch(onError)
      .finally(() => senders.delete(sender));
    senders.add(sender);
  };

  return {
    /** Begins to send, until nothing can be sent now. */
    start,
    /** Stops after the pieces that are being sent. They are cut off after 3 s. */
    async close() {
      stopped.abort();
      const timer = setTimeout(() => cutOff.abort(), CLOSE_TIMEOUT_MS);
      await Promise.all(senders);
      clearTimeout(timer);
    },
  };
}
