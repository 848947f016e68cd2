import type { EventViolation } from '../answers.ts';
import type { OverworldError } from '../http/error.ts';
import type { Say } from '../say.ts';
import type { DroppedEvents, DropReason, OverworldOptions, QueuedEvent } from '../options.ts';

type DropDetails = Partial<Omit<DroppedEvents, 'reason' | 'events'>>;

/** Calls the callbacks of the game. Their errors do not stop the SDK. */
export interface Tell {
  /** @param details With `count` if there are more events than those in `events`. */
  drop(reason: DropReason, events: QueuedEvent[], details?: DropDetails): void;
  warn(warnings: EventViolation[]): void;
  fail(error: OverworldError): void;
}

export function createTell(
  options: OverworldOptions,
  say: Say,
  onDropped: (count: number) => void,
): Tell {
  const call = (run: () => void) => {
    try {
      run();
    } catch (error) {
      // Reports the error as the browser reports errors of event listeners.
      void Promise.reject(error);
    }
  };
  return {
    drop(reason, events, details) {
      const dropped = { reason, count: events.length, events, ...details };
      onDropped(dropped.count);
      const why = (details?.violations ?? []).map(({ path, message }) => `${path} ${message}`);
      const reasons = [details?.message, ...new Set(why)].filter(Boolean).join('; ');
      say(`Events are dropped (${reason})${reasons && `: ${reasons}`}`);
      call(() => options.onDrop?.(dropped));
    },
    warn(warnings) {
      for (const { event_name, path, message } of warnings) {
        say(`${event_name}: ${path} ${message}`);
      }
      call(() => options.onWarning?.(warnings));
    },
    fail: (error) => call(() => options.onError?.(error)),
  };
}
