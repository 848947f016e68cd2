import { setTimeout as wait } from 'node:timers/promises';
import type { HttpServer } from './server.ts';

/** The time before a stop, in which a load balancer learns that this server goes away. */
export interface Drain {
  /** True if the stop has been announced, or has begun. */
  readonly begun: boolean;
  /**
   * Serves on for this time. Meanwhile `/readyz` answers 503 and each answer closes its connection,
   * so a balancer sends its next requests elsewhere, and none meets a connection that is being cut.
   */
  run(duration_ms: number): Promise<void>;
}

/** Prepares an announced stop of this server. */
export function createDrain(server: HttpServer): Drain {
  return {
    get begun() {
      return server.is_stopping;
    },
    async run(duration_ms) {
      server.announceStop();
      await wait(duration_ms);
    },
  };
}
