import type { EventViolation } from './answers.ts';
import type { OverworldError } from './error.ts';
import type { DroppedEvents, DropReason, OverworldOptions, QueuedEvent } from './options.ts';

export type DropDetails = Partial<Omit<DroppedEvents, 'reason' | 'events'>>;

/** Tells the game what happens in the background; what its callbacks throw is not our affair. */
export interface Tell {
  /** @param details With the `count`, where there are more than `events`. */
  drop(reason: DropReason, events: QueuedEvent[], details?: DropDetails): void;
  warn(warnings: EventViolation[]): void;
  fail(error: OverworldError): void;
}

export function createTell(options: OverworldOptions, onDropped: (count: number) => void): Tell {
  const call = (run: () => void) => {
    try {
      run();
    } catch (error) {
      // As from an event listener: it is seen, and nothing here stops.
      void Promise.reject(error);
    }
  };
  return {
    drop(reason, events, details) {
      const dropped = { reason, count: events.length, events, ...details };
      onDropped(dropped.count);
      call(() => options.onDrop?.(dropped));
    },
    warn: (warnings) => call(() => options.onWarning?.(warnings)),
    fail: (error) => call(() => options.onError?.(error)),
  };
}
