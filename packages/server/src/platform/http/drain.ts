import { setTimeout as wait } from 'node:timers/promises';
import type { HttpServer } from './server.ts';

/** Makes the drain of a server, which announces the stop of the server. */
export function createDrain(server: HttpServer) {
  return {
    /** True if the stop has been announced, or has begun. */
    get begun() {
      return server.is_stopping;
    },
    /**
     * Announces the stop, and keeps serving requests for this time. Meanwhile `/readyz`
     * answers 503 and each answer closes its connection, so a load balancer sends its
     * next requests elsewhere, and no request is sent on a connection that is being cut.
     */
    async run(duration_ms: number) {
      server.announceStop();
      await wait(duration_ms);
    },
  };
}

/** The time before a stop, in which a load balancer learns that the server will stop. */
export type Drain = ReturnType<typeof createDrain>;
