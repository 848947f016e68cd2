import type { EventViolation } from './answers.ts';
import type { OverworldError } from './error.ts';
import type { DropReason, OverworldOptions, QueuedEvent } from './options.ts';

/** Tells the game what happens in the background; what its callbacks throw is not our affair. */
export interface Tell {
  /** @param count How many, where there are more than `events`. */
  drop(
    reason: DropReason,
    events: QueuedEvent[],
    violations?: EventViolation[],
    count?: number,
  ): void;
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
    drop(reason, events, violations, count = events.length) {
      onDropped(count);
      call(() => options.onDrop?.({ reason, count, events, violations }));
    },
    warn: (warnings) => call(() => options.onWarning?.(warnings)),
    fail: (error) => call(() => options.onError?.(error)),
  };
}
