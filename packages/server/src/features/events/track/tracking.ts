import { hash } from 'node:crypto';
import type { EventViolation } from '@overworld/contract/events/track';
import type { KeyCaller } from '../../../platform/auth/api-keys.ts';
import type { Database } from '../../../platform/database/database.ts';
import { ApiError, badRequest } from '../../../platform/errors.ts';
import type { PlayerGuard } from '../../../platform/players/own-player.ts';
import type { PlayerCall } from '../../../platform/players/player-call.ts';
import type { SchemaRegistry } from '../schemas/schema-registry.ts';
import { findFirstAnswer } from './store-once.ts';
import type { Idempotency } from '../inbox/incoming-requests.ts';
import type { TrackAnswer } from './track-answer.ts';
import { reportEvents, reportSchemaProblems } from './track-problems.ts';
import type { OnTrackProblem } from '../../../platform/track-problem.ts';
import { readTrackRequest } from './track-request.ts';
import type { TrackRequest } from './track-request.ts';
import type { TrackWriter } from './track-writer.ts';

/** A call of the game, with the database of the game. */
export interface TrackCall extends PlayerCall {
  readonly hot: Database;
}

const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

export function createTracking(services: {
  schemas: SchemaRegistry;
  writer: TrackWriter;
  guard: PlayerGuard;
  onProblem: OnTrackProblem;
}) {
  const { schemas, writer, guard, onProblem } = services;

  const read = (caller: KeyCaller, body: Buffer): TrackRequest => {
    try {
      return readTrackRequest(body);
    } catch (error) {
      reportEvents(onProblem, caller, 'refused', countMalformed(error));
      throw error;
    }
  };

  return {
    /**
     * Stores the events of a request body, which is in UTF-8.
     * @throws the errors that the contract lists for the operation `trackEvents`.
     */
    async track(call: TrackCall, body: Buffer, idempotency_key: unknown): Promise<TrackAnswer> {
      const { caller } = call;
      const { events, text } = read(caller, body);
      await guard.checkEvents(call, events);
      const idempotency = readIdempotency(idempotency_key, body);
      const warnings =
        caller.event_validation === 'off'
          ? []
          : await schemas.findViolations(caller.game_id, events);
      if (caller.event_validation === 'reject' && warnings.length > 0) {
        // An earlier request with the same key may have stored the events before the schema was set. In this
        // case its answer is repeated.
        const first = await findFirstAnswer(call.hot, caller, idempotency, onProblem);
        if (first !== null) return first;
        reportSchemaProblems(onProblem, caller, 'refused', warnings);
        throw badRequest(warnings[0]!.message, { violations: warnings });
      }
      return writer.write(call.hot, {
        caller,
        event_count: events.length,
        text,
        warnings,
        idempotency,
      });
    },
  };
}

export type Tracking = ReturnType<typeof createTracking>;

function countMalformed(error: unknown): number {
  const violations = error instanceof ApiError ? error.body.violations : undefined;
  return new Set((violations as EventViolation[] | undefined)?.map(({ index }) => index)).size;
}

function readIdempotency(key: unknown, body: Buffer): Idempotency | null {
  if (typeof key !== 'string') return null;
  if (key === '') throw badRequest('Idempotency-Key must not be empty');
  if (key.length > MAX_IDEMPOTENCY_KEY_LENGTH) {
    throw badRequest(`Idempotency-Key must have at most ${MAX_IDEMPOTENCY_KEY_LENGTH} characters`);
  }
  // A game may put ids of players into its idempotency keys. After
  // a player is erased, only hashes of such keys may stay stored.
  return { key: hash('sha256', key, 'hex'), body_hash: hash('sha256', body, 'hex') };
}
