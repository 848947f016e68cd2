import type { EventViolation, PlayerMessage } from '../answers.ts';
import { platform } from '../http/platform.ts';
import type { OverworldError } from '../http/error.ts';
import { isDevelopmentKey } from '../stores/names.ts';
import { makeStoreFailure } from '../http/error.ts';
import type { DroppedEvents, DropReason, OverworldOptions, QueuedEvent } from '../options.ts';

type DropDetails = Pick<DroppedEvents, 'message' | 'violations'>;

/** Calls the callbacks of the game. If a callback throws, the SDK goes on. */
export interface Tell {
  /** The number of events that were dropped. */
  dropped: number;
  /** @param events Empty if one event is dropped that cannot be written as JSON, or came after `close()`. */
  drop(reason: DropReason, events: QueuedEvent[], details?: DropDetails): void;
  warn(warnings: EventViolation[]): void;
  fail(error: OverworldError): void;
  /** With a development key, writes each text once to the console: the developers have made a mistake. */
  say(text: string): void;
  other(player_id: string): void;
  /** Tells about messages that no earlier list had; absent if the game does not want to know. */
  messages: ((messages: PlayerMessage[]) => void) | undefined;
  /** Tells once that the store has not taken a value. */
  failStore(cause: unknown): void;
}

export const createTell = (options: OverworldOptions): Tell => {
  const said = new Set<string>();
  const say = (text: string) => {
    if (!isDevelopmentKey(options.apiKey) || said.has(text)) return;
    said.add(text);
    platform.console?.warn(`[Overworld] ${text}`);
  };
  const call = <Value>(callback: ((value: Value) => void) | undefined, value: Value) => {
    try {
      callback?.(value);
    } catch (error) {
      // Reports the error as the browser reports errors of event listeners.
      void Promise.reject(error);
    }
  };
  const fail = (error: OverworldError) => call(options.onError, error);
  let isStoreTold = false;
  const tell: Tell = {
    dropped: 0,
    drop: (reason, events, details = {}) => {
      const dropped = { reason, count: events.length || 1, events, ...details };
      tell.dropped += dropped.count;
      const { message, violations = [] } = details;
      const why = violations.map((each) => `${each.path} ${each.message}`);
      const words = [`Events are dropped (${reason})`, message, ...new Set(why)];
      say(words.filter(Boolean).join(': '));
      call(options.onDrop, dropped);
    },
    warn: (warnings) => {
      for (const { event_name, path, message } of warnings) {
        say(`${event_name}: ${path} ${message}`);
      }
      call(options.onWarning, warnings);
    },
    fail,
    say,
    messages: options.onMessages && ((messages) => call(options.onMessages, messages)),
    other: (player_id) => call(options.onOtherPlayer, player_id),
    failStore: (cause) => {
      if (isStoreTold) return;
      isStoreTold = true;
      const failure = makeStoreFailure(cause);
      say(failure.message);
      // The store may fail before the game has the client.
      void Promise.resolve().then(() => fail(failure));
    },
  };
  return tell;
};
