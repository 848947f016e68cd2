import type { Tell } from './events/callbacks.ts';
import type { TakeLock } from './events/queue-locks.ts';
import type { ServerClock } from './http/server-clock.ts';
import type { Transport } from './http/transport.ts';
import type { OverworldOptions } from './options.ts';
import type { KeptStore } from './stores/kept-store.ts';
import type { StoreNames } from './stores/names.ts';

/** The parts of a client that most other parts use. */
export interface SharedParts {
  options: OverworldOptions;
  store: KeptStore;
  takeLock: TakeLock;
  names: StoreNames;
  clock: ServerClock;
  tell: Tell;
  transport: Transport;
  /** The players whose calls and events wait until they log in. */
  absent: Set<string>;
}
