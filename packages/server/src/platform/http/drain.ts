import { setTimeout as wait } from 'node:timers/promises';
import type { HttpServer } from './server.ts';

/** Makes the drain of a server: the time before a stop in which the server still answers. */
export function createDrain(server: HttpServer) {
  return {
    /** True if the server has announced that it will stop, or has begun to stop. */
    get begun() {
      return server.is_stopping;
    },
    /**
     * Announces that the server will stop, and keeps serving requests for this time. Meanwhile `/readyz`
     * answers 503 and each answer closes its connection. So a load balancer sends later requests to other
     * servers, and loses no request on a connection that the server closes.
     */
    async run(duration_ms: number) {
      server.announceStop();
      await wait(duration_ms);
    },
  };
}

/** Announces the stop of a server to the load balancer, and waits until the load balancer has noticed it. */
export type Drain = ReturnType<typeof createDrain>;
