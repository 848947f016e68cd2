import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** The time before a stop, in which a load balancer learns that this server goes away. */
export interface Drain {
  /** Whether the stop has been announced, or has begun. */
  readonly begun: boolean;
  /**
   * Serves on for this time. Meanwhile `/readyz` answers 503 and each answer closes its connection,
   * so a balancer sends its next requests elsewhere, and none meets a connection that is being cut.
   */
  run(duration_ms: number): Promise<void>;
}

/** Prepares an announced stop of this server. */
export function createDrain(app: FastifyInstance): Drain {
  let begun = false;
  // At a stop without announcement, clients must not send another request after their answer either.
  app.addHook('preClose', (done) => {
    begun = true;
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (begun) reply.header('Connection', 'close');
    done(null, payload);
  });
  return {
    get begun() {
      return begun;
    },
    async run(duration_ms) {
      begun = true;
      await wait(duration_ms);
    },
  };
}
