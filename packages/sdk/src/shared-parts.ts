import type { Tell } from './events/callbacks.ts';
import type { ServerClock } from './http/server-clock.ts';
import type { Transport } from './http/transport.ts';
import type { OverworldOptions } from './options.ts';
import type { KeptStore } from './stores/kept-store.ts';
import type { StoreNames } from './stores/names.ts';

/** The parts of a client that most other parts use. */
export interface SharedParts {
  options: OverworldOptions;
  store: KeptStore;
  names: StoreNames;
  clock: ServerClock;
  tell: Tell;
  transport: Transport;
}
