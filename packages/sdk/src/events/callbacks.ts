import type { EventViolation } from '../answers.ts';
import { makeStoreFailure } from '../http/error.ts';
import type { OverworldError } from '../http/error.ts';
import type { Say } from '../say.ts';
import type { DroppedEvents, DropReason, OverworldOptions, QueuedEvent } from '../options.ts';

type DropDetails = Partial<Omit<DroppedEvents, 'reason' | 'events'>>;

/** Calls the callbacks of the game. If a callback throws, the SDK goes on. */
export interface Tell {
  /** The number of events that were dropped. */
  readonly dropped: number;
  /** @param details Has the number of dropped events in `count`, if `events` contains only some of them. */
  drop(reason: DropReason, events: QueuedEvent[], details?: DropDetails): void;
  warn(warnings: EventViolation[]): void;
  fail(error: OverworldError): void;
  other(player_id: string): void;
  /** Tells once that the store has not taken a value. */
  failStore(cause: unknown): void;
}

export function createTell(options: OverworldOptions, say: Say): Tell {
  const call = <Value>(callback: ((value: Value) => void) | undefined, value: Value) => {
    try {
      callback?.(value);
    } catch (error) {
      // Reports the error as the browser reports errors of event listeners.
      void Promise.reject(error);
    }
  };
  const fail = (error: OverworldError) => call(options.onError, error);
  let total = 0;
  let isStoreTold = false;
  return {
    get dropped() {
      return total;
    },
    drop(reason, events, details) {
      const dropped = { reason, count: events.length, events, ...details };
      total += dropped.count;
      const why = (details?.violations ?? []).map(({ path, message }) => `${path} ${message}`);
      const words = [`Events are dropped (${reason})`, details?.message, ...new Set(why)];
      say(words.filter(Boolean).join(': '));
      call(options.onDrop, dropped);
    },
    warn(warnings) {
      for (const { event_name, path, message } of warnings) {
        say(`${event_name}: ${path} ${message}`);
      }
      call(options.onWarning, warnings);
    },
    fail,
    other: (player_id) => call(options.onOtherPlayer, player_id),
    failStore(cause) {
      if (isStoreTold) return;
      isStoreTold = true;
      const failure = makeStoreFailure(cause);
      say(failure.message);
      // The store may fail before the game has the client.
      void Promise.resolve().then(() => fail(failure));
    },
  };
}
