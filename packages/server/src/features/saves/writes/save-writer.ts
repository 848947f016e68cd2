import {
  answerInRounds,
  createGroupBatcher,
  groupRequests,
} from '../../../platform/batch/batcher.ts';
import type { BatchResults, RequestGroup } from '../../../platform/batch/batcher.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { unavailable } from '../../../platform/errors.ts';
import { nameOfSave } from '../save-key.ts';
import type { SaveKey } from '../save-key.ts';
import { listHeads, listVersionsOf } from '../store.ts';
import type { Save } from '../store.ts';
import { storeAdvances, storePuts } from './change-store.ts';
import { storeDeletions } from './deletions.ts';
import type { StoredChange } from './stored-change.ts';
import { limitGrownHistories } from './history-limit.ts';
import { isNewSlot, storeNewSlots } from './new-slots.ts';
import { decide } from './save-rules.ts';
import type { Decision, PutRequest, SaveRequest } from './save-rules.ts';

type PutOutcome =
  | { kind: 'stored'; version: number; updated_at: string }
  /** The request was not stored, because the server has another version, which is `save`. */
  | { kind: 'conflict'; save: Save };

type SaveOutcome = PutOutcome | { kind: 'deleted' } | { kind: 'absent' };

/** All requests of a batch that are about the same save. */
type SaveGroup = RequestGroup<SaveRequest>;

type PutGroup = RequestGroup<PutRequest>;

type Results = BatchResults<SaveOutcome>;

/**
 * The most bytes of a batch. Five saves of 100 KB take about 5 ms, and other saves should not wait longer.
 */
const MAX_BATCH_BYTES = 512 * 1024;
const MAX_QUEUE_BYTES = 64 * 1024 * 1024;
/**
 * The most rounds of a batch. Each round after the second
 * one means that another node has changed a save meanwhile.
 */
const MAX_ROUNDS = 100;

/**
 * Makes a writer that batches saves and deletions. Most requests are plain saves, and one statement decides
 * and stores all of them. The other requests take three steps: one look-up reads the states of their saves,
 * the rules decide every request, and one statement stores all changes. If another node has changed a save
 * since the look-up, no change of this save is stored, and the requests about it are decided again.
 * @param history_bytes The maximum size of a player's old versions. The last ten versions of each slot do not
 * count.
 */
export function createSaveWriter(hot: GroupedDatabase, history_bytes: number) {
  const batcher = createGroupBatcher<SaveRequest, SaveOutcome>(hot, {
    name: 'saves',
    max_batch_size: 200,
    max_queue_length: 20_000,
    gameOf: ({ save }) => save.game_id,
    bytes: {
      of: (request) => (request.kind === 'put' ? request.size_bytes : 0),
      max_batch: MAX_BATCH_BYTES,
      max_queue: MAX_QUEUE_BYTES,
    },
    async flush(database, requests) {
      const grown: SaveKey[] = [];
      const outcomes = await answerInRounds<SaveGroup, SaveOutcome>(
        requests.length,
        groupRequests(requests, ({ save }) => nameOfSave(save)),
        (open, results, round) => {
          if (round > MAX_ROUNDS) throw unavailable('Others save to this slot too often');
          return (round === 0 ? storePlainPuts : storeDecided)(database, grown, open, results);
        },
      );
      await limitGrownHistories(database, grown, history_bytes);
      return outcomes;
    },
  });
  return {
    put: (save: SaveKey, sent: Omit<PutRequest, 'kind' | 'save'>): Promise<PutOutcome> =>
      batcher.submit({ kind: 'put', save, ...sent }) as Promise<PutOutcome>,
    /** @returns true if there was a save. */
    delete: async (save: SaveKey): Promise<boolean> =>
      (await batcher.submit({ kind: 'delete', save })).kind === 'deleted',
    /** Refuses new requests, and resolves when all accepted requests are answered. */
    close: () => batcher.close(),
  };
}

/** A writer that stores and deletes saves. Its outcomes are committed when it returns them. */
export type SaveWriter = ReturnType<typeof createSaveWriter>;

const saveOf = ({ requests }: SaveGroup): SaveKey => requests[0]!.save;

/**
 * @param grown Gets the saves whose history has grown.
 * @returns the groups that are not plain, that were in conflict, or that need a new slot.
 */
async function storePlainPuts(
  database: Database,
  grown: SaveKey[],
  groups: SaveGroup[],
  results: Results,
): Promise<SaveGroup[]> {
  const plain = groups.filter(isPlain);
  const stored = await runFor(plain, () =>
    database.runAtomically((tx) =>
      storePuts(
        tx,
        plain.map((group) => ({
          save: saveOf(group),
          expected_version: group.requests[0]!.expected_version,
          versions: group.requests.map(({ data, app_version }) => ({ data, app_version })),
        })),
      ),
    ),
  );
  return groups.filter((group) => {
    const change = stored.get(group);
    if (!change) return true;
    const { version, changed_at, has_grown } = change;
    if (has_grown) grown.push(saveOf(group));
    group.places.forEach((place, step) => {
      const later = group.places.length - 1 - step;
      results[place] = { kind: 'stored', version: version - later, updated_at: changed_at };
    });
    return false;
  });
}

/**
 * Tells whether a group is plain: all its requests are saves of a game below its storage limit, and only the
 * first may expect a version.
 */
function isPlain(group: SaveGroup): group is PutGroup {
  return group.requests.every((request, step) => {
    if (request.kind !== 'put' || request.limit_reached !== null) return false;
    const { expected_version } = request;
    // A version that is too large for PostgreSQL's integers would make the whole batch fail.
    return expected_version === null || (step === 0 && Number.isSafeInteger(expected_version));
  });
}

/**
 * Decides the requests about each save and stores the changes.
 * @param grown Gets the saves whose history has grown.
 * @returns the groups whose save another node has changed meanwhile. None of their changes are stored.
 */
async function storeDecided(
  database: Database,
  grown: SaveKey[],
  groups: SaveGroup[],
  results: Results,
): Promise<SaveGroup[]> {
  const heads = await listHeads(database, groups.map(saveOf), groups.some(isAtLimit));
  const decided = groups.map((group, index) => {
    const head = heads[index]!;
    return { group, save: saveOf(group), head, ...decide(head, group.requests) };
  });
  const conflicts = decided.filter(({ decisions }) => decisions.some(isWithServer));
  const server_saves = await runFor(conflicts, () =>
    listVersionsOf(
      database,
      conflicts.map(({ save, head }) => ({ save, version: head.version })),
    ),
  );
  // Null means that the version is no longer stored, so another node has saved since the look-up.
  const changed = decided.filter(
    (each) => each.next.revision !== each.head.revision && server_saves.get(each) !== null,
  );
  const {
    known = [],
    added = [],
    deleted = [],
  } = Object.groupBy(changed, (each) => {
    if (each.versions.length === 0) return 'deleted';
    return isNewSlot(each) ? 'added' : 'known';
  });
  const changes = new Map<unknown, StoredChange | Error | null>([
    ...(await runFor(known, () => storeAdvances(database, known))),
    ...(await runFor(added, () => orErrors(added, () => storeNewSlots(database, added)))),
    ...(await runFor(deleted, () => orErrors(deleted, () => storeDeletions(database, deleted)))),
  ]);

  const overtaken = decided.filter((each) => {
    const server_save = server_saves.get(each);
    const change = changes.get(each);
    if (server_save === null || change === null) return true;
    if (change && 'has_grown' in change && change.has_grown) grown.push(each.save);
    each.decisions.forEach((decision, index) => {
      const place = each.group.places[index]!;
      results[place] =
        change instanceof Error ? change : toOutcome(decision, server_save, change?.changed_at);
    });
    return false;
  });
  return overtaken.map(({ group }) => group);
}

/**
 * Runs a later statement of a batch. If it fails, only its items get the error, because other saves of the
 * batch may already be stored.
 */
async function orErrors<Answer>(
  items: readonly unknown[],
  run: () => Promise<Answer[]>,
): Promise<(Answer | Error)[]> {
  try {
    return await run();
  } catch (error) {
    return items.map(() => error as Error);
  }
}

/**
 * Tells whether the game of a request has reached its storage limit. The outcome then depends on the size of
 * the last version.
 */
const isAtLimit = ({ requests }: SaveGroup) =>
  requests.some((request) => request.kind === 'put' && request.limit_reached !== null);

const isWithServer = (decision: Decision) =>
  decision.kind === 'conflict' && decision.with_version === null;

/** Runs a statement for `items`, unless there are none. @returns the answer for each item. */
async function runFor<Item, Answer>(
  items: readonly Item[],
  run: () => Promise<Answer[]>,
): Promise<Map<unknown, Answer>> {
  const answers = items.length === 0 ? [] : await run();
  return new Map(items.map((item, index) => [item, answers[index]!]));
}

function toOutcome(
  decision: Decision,
  server_save: Save | undefined,
  changed_at: string | undefined,
): SaveOutcome | Error {
  switch (decision.kind) {
    case 'refused':
      return decision.error;
    case 'stored':
      return { ...decision, updated_at: changed_at! };
    case 'conflict': {
      const { with_version } = decision;
      const save = with_version ? { ...with_version, updated_at: changed_at! } : server_save!;
      return { kind: 'conflict', save };
    }
    default:
      return decision;
  }
}
