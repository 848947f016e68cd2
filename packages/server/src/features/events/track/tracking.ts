import type { EventViolation } from '@overworld/contract/events/track';
import type { KeyCaller } from '../../../platform/auth/api-keys.ts';
import type { Database } from '../../../platform/database/database.ts';
import { ApiError, badRequest } from '../../../platform/errors.ts';
import { readIdempotency } from '../../../platform/http/idempotency.ts';
import type { PlayerGuard } from '../../../platform/players/own-player.ts';
import type { PlayerCall } from '../../../platform/players/player-call.ts';
import type { SchemaRegistry } from '../schemas/schema-registry.ts';
import {
  findFirstAnswer,
  quotaExceeded,
  reportEvents,
  reportSchemaProblems,
  shareExceeded,
  storeOnce,
} from './store-once.ts';
import type { IncomingRequest } from '../inbox/incoming-requests.ts';
import type { Outcome, TrackAnswer } from './store-once.ts';
import type { OnTrackProblem } from '../../../platform/track-problem.ts';
import { MalformedEvents, readTrackRequest } from './track-request.ts';
import type { TrackRequest } from './track-request.ts';
import type { Environment } from '@overworld/contract/common';
import { createGroupBatcher } from '../../../platform/batch/batcher.ts';
import type { GroupedDatabase, PerGroup } from '../../../platform/database/game-groups.ts';
import type { Metrics } from '../../../platform/metrics/metrics.ts';
import type { Ingester } from '../inbox/ingester.ts';
import type { NoteKinds } from '../problems/problem-kinds.ts';
import { storeWithinShares } from './store-within-share.ts';

/** A call of the game, with the database of the game. */
export interface TrackCall extends PlayerCall {
  readonly hot: Database;
}

export function createTracking(services: {
  schemas: SchemaRegistry;
  writer: TrackWriter;
  guard: PlayerGuard;
  onProblem: OnTrackProblem;
  noteKinds: NoteKinds;
}) {
  const { schemas, writer, guard, onProblem, noteKinds } = services;

  const read = (caller: KeyCaller, body: Buffer): TrackRequest => {
    try {
      return readTrackRequest(body);
    } catch (error) {
      const violations = violationsOf(error);
      const malformed = new Set(violations.map(({ index }) => index));
      reportEvents(onProblem, caller, 'refused', malformed.size);
      const events = error instanceof MalformedEvents ? error.events : [];
      noteKinds(caller, 'refused', violations, events);
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
      const idempotency =
        idempotency_key === undefined ? null : readIdempotency(idempotency_key, body);
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
        noteKinds(caller, 'refused', warnings, events);
        throw badRequest(warnings[0]!.message, { violations: warnings });
      }
      return writer.write(call.hot, {
        caller,
        event_count: events.length,
        text,
        warnings,
        warned: warnings.length > 0 ? events : [],
        idempotency,
      });
    },
  };
}

export type Tracking = ReturnType<typeof createTracking>;

function violationsOf(error: unknown): readonly EventViolation[] {
  const violations = error instanceof ApiError ? error.body.violations : undefined;
  return (violations as EventViolation[] | undefined) ?? [];
}

const MEGABYTE = 1024 * 1024;

/**
 * Counts requests against the quota and puts them into the inbox, many requests in one statement.
 * @param ingesters Woken after each commit that has put events into an inbox.
 * @param tell Called for events that break their schemas, and for events that were stored before.
 */
export function createTrackWriter(
  hot: GroupedDatabase,
  ingesters: Pick<PerGroup<Ingester>, 'ofGame'>,
  tell: { onProblem: OnTrackProblem; noteKinds: NoteKinds },
  { addCounter }: Pick<Metrics, 'addCounter'>,
) {
  const { onProblem, noteKinds } = tell;
  const countStored = addCounter({
    name: 'overworld_events_stored_total',
    help: 'Events that were accepted and are on disk.',
  });
  const countRefused = addCounter({
    name: 'overworld_quota_refusals_total',
    help: "Requests with events that were refused because the game's monthly quota is used up.",
  });
  const exhausted = createExhaustedKeys();
  /** Like `exhausted`, but has the keys whose environment has used up its share of the quota. */
  const exhausted_shares = createExhaustedKeys();

  const reportProblems = ({ caller, warned }: IncomingRequest, { answer, stored }: Outcome) => {
    if (answer instanceof Error) return;
    if (stored === null) return reportEvents(onProblem, caller, 'repeated', answer.received);
    const { warnings = [] } = answer;
    reportSchemaProblems(onProblem, caller, 'warned', warnings);
    noteKinds(caller, 'warned', warnings, warned);
  };

  const finish = (requests: readonly IncomingRequest[], outcomes: readonly Outcome[]) => {
    let stored_events = 0;
    outcomes.forEach((outcome, index) => {
      reportProblems(requests[index]!, outcome);
      const { stored } = outcome;
      stored_events += stored?.received ?? 0;
      if (stored?.received === 0) countRefused();
      if (stored === null || stored.used < stored.quota) return;
      exhausted.note(requests[index]!.caller.key_id, stored);
    });
    if (stored_events > 0) ingesters.ofGame(requests[0]!.caller.game_id).wake();
    countStored(stored_events);
    return outcomes.map(({ answer }) => answer);
  };

  const batching = {
    max_batch_size: 256,
    max_queue_length: 20_000,
    gameOf: ({ caller }: IncomingRequest) => caller.game_id,
    bytes: {
      of: ({ text }: IncomingRequest) => text.length,
      max_batch: MEGABYTE,
      max_queue: 64 * MEGABYTE,
    },
  };
  const batcher = createGroupBatcher<IncomingRequest, TrackAnswer>(hot, {
    ...batching,
    name: 'track',
    async flush(group, requests) {
      return finish(requests, await storeOnce(group, requests));
    },
  });
  // Environments with a share of the quota do not use the common batcher, so that other games do not wait for
  // their transactions. There is one batcher for each environment, because one transaction stores only events
  // of one environment. If a batch had two environments, one transaction could fail after the other was
  // stored.
  const makeShareBatcher = (environment: Environment) =>
    createGroupBatcher<IncomingRequest, TrackAnswer>(hot, {
      ...batching,
      name: `track_within_share_of_${environment}`,
      async flush(group, requests) {
        const shared = await storeWithinShares(group, requests);
        shared.forEach(({ outcome: { stored }, filled }, index) => {
          const { key_id, environment_quota: quota } = requests[index]!.caller;
          if (filled === null || stored === null) return;
          const { month_ends_in_ms } = stored;
          exhausted_shares.note(key_id, { quota: quota!, used: filled, month_ends_in_ms });
        });
        return finish(
          requests,
          shared.map(({ outcome }) => outcome),
        );
      },
    });
  const share_batchers = {
    development: makeShareBatcher('development'),
    production: makeShareBatcher('production'),
  };

  const findRefusal = (caller: KeyCaller): ApiError | null => {
    const { key_id, event_quota, environment_quota } = caller;
    const used = exhausted.find(key_id, event_quota);
    if (used !== null) return quotaExceeded(used, event_quota);
    if (environment_quota === null) return null;
    const used_of_share = exhausted_shares.find(key_id, environment_quota);
    return used_of_share === null ? null : shareExceeded(caller, used_of_share);
  };

  return {
    /**
     * Resolves when the events are on disk. They are there already if an earlier request with the same
     * idempotency key stored them.
     * @throws ApiError 429 when the quota is used up, 400 when the key was used with another body, 503 when
     * too many requests wait.
     */
    async write(database: Database, request: IncomingRequest): Promise<TrackAnswer> {
      const { caller, idempotency } = request;
      const refusal = findRefusal(caller);
      if (refusal !== null) {
        const first = await findFirstAnswer(database, caller, idempotency, onProblem);
        if (first !== null) return first;
        countRefused();
        throw refusal;
      }
      const { environment, environment_quota } = caller;
      return (environment_quota === null ? batcher : share_batchers[environment]).submit(request);
    },
    /** Refuses new requests and resolves when all accepted requests are answered. */
    async close() {
      const batchers = [batcher, ...Object.values(share_batchers)];
      await Promise.all(batchers.map((each) => each.close()));
    },
  };
}

type TrackWriter = ReturnType<typeof createTrackWriter>;

/**
 * Remembers the API keys of games that have used up their quota, until the month ends or the quota changes.
 * Events with these keys are refused without a statement. The keys are remembered instead of the ids of the
 * games: a game that is loaded from an archive may have the id of an earlier game and have used less than
 * that game, but it never has the same keys.
 */
function createExhaustedKeys() {
  const keys = new Map<string, { quota: number; used: number; until_ms: number }>();
  return {
    /**
     * Returns the number of events of this month if the key's game has used up its quota, and if the quota
     * was then `quota`; otherwise null.
     */
    find(key_id: string, quota: number): number | null {
      const key = keys.get(key_id);
      if (key === undefined || key.quota !== quota) return null;
      if (Date.now() < key.until_ms) return key.used;
      keys.delete(key_id);
      return null;
    },
    note(
      key_id: string,
      { quota, used, month_ends_in_ms }: { quota: number; used: number; month_ends_in_ms: number },
    ) {
      keys.set(key_id, { quota, used, until_ms: Date.now() + month_ends_in_ms });
    },
  };
}
