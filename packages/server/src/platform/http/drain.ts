import { setTimeout as wait } from 'node:timers/promises';
import type { HttpServer } from './server.ts';

/** Prepares an announced stop of this server. */
export function createDrain(server: HttpServer) {
  return {
    /** True if the stop has been announced, or has begun. */
    get begun() {
      return server.is_stopping;
    },
    /**
     * Serves on for this time. Meanwhile `/readyz` answers 503 and each answer closes its connection,
     * so a balancer sends its next requests elsewhere, and no request meets a connection that is being
     * cut.
     */
    async run(duration_ms: number) {
      server.announceStop();
      await wait(duration_ms);
    },
  };
}

/** The time before a stop, in which a load balancer learns that this server goes away. */
export type Drain = ReturnType<typeof createDrain>;
