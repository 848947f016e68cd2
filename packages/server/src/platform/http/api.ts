import type { Operation } from '@overworld/contract/operation';
import type { FastifyInstance } from 'fastify';
import type { Authenticator } from '../auth/authenticate.ts';
import type { Database } from '../database/database.ts';

/** Told of every answer of an operation, errors too. */
export type OnAnswer = (operation: Operation, status: number, body: unknown) => void;

/** What features mount their operations on. */
export interface Api {
  app: FastifyInstance;
  authenticate: Authenticator;
  /** Where memberships are looked up. */
  database: Database;
  /** Told of every answer; tests hold it against the contract. */
  onAnswer?: OnAnswer;
  /** A client that takes nothing of a file for so long is cut off; 30 s unless said. */
  stalled_reader_ms?: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}
