import type { Environment } from '@overworld/contract/common';
import type { ApiError } from '../../../platform/errors.ts';
import type { KeyCaller } from '../../../platform/auth/api-keys.ts';
import { createGroupBatcher } from '../../../platform/batch/group-batcher.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { createExhaustedKeys } from './exhausted-keys.ts';
import type { IncomingRequest } from '../inbox/incoming-requests.ts';
import { findFirstAnswer, storeOnce } from './store-once.ts';
import { storeWithinShares } from './store-within-share.ts';
import { quotaExceeded, shareExceeded } from './track-answer.ts';
import type { Outcome, TrackAnswer } from './track-answer.ts';
import { reportEvents, reportSchemaProblems } from './track-problems.ts';
import type { OnTrackProblem } from '../../../platform/track-problem.ts';

/** Functions that are told the outcomes of requests, for metrics. */
export interface TrackObserver {
  /** Called after a commit, with the number of events that the commit has stored. */
  onStored: (event_count: number) => void;
  /** Called after a request was refused because the quota is used up. */
  onQuotaRefused: () => void;
}

const MEGABYTE = 1024 * 1024;

/**
 * Counts requests against the quota and puts them into the inbox, many requests in one statement.
 * @param onCommit Called after each commit that has put events into an inbox, with the id of a game whose
 * events are among them.
 * @param onProblem Called for events that break their schemas, and for events that were stored before.
 */
export function createTrackWriter(
  hot: GroupedDatabase,
  onCommit: (game_id: string) => void,
  onProblem: OnTrackProblem,
  observer: TrackObserver,
) {
  const exhausted = createExhaustedKeys();
  /** Like `exhausted`, but has the keys whose environment has used up its share of the quota. */
  const exhausted_shares = createExhaustedKeys();

  const reportProblems = (caller: KeyCaller, { answer, stored }: Outcome) => {
    if (answer instanceof Error) return;
    if (stored === null) reportEvents(onProblem, caller, 'repeated', answer.received);
    else reportSchemaProblems(onProblem, caller, 'warned', answer.warnings ?? []);
  };

  const finish = (requests: readonly IncomingRequest[], outcomes: readonly Outcome[]) => {
    let stored_events = 0;
    outcomes.forEach((outcome, index) => {
      reportProblems(requests[index]!.caller, outcome);
      const { stored } = outcome;
      stored_events += stored?.received ?? 0;
      if (stored?.received === 0) observer.onQuotaRefused();
      if (stored === null || stored.used < stored.quota) return;
      exhausted.note(requests[index]!.caller.key_id, stored);
    });
    if (stored_events > 0) onCommit(requests[0]!.caller.game_id);
    observer.onStored(stored_events);
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
        observer.onQuotaRefused();
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

export type TrackWriter = ReturnType<typeof createTrackWriter>;
