import { answerInRounds, groupRequests } from '../../platform/batch/rounds.ts';
import type { BatchResults, RequestGroup } from '../../platform/batch/rounds.ts';
import { createBatcher } from '../../platform/batch/batcher.ts';
import type { Database } from '../../platform/database/database.ts';
import { unavailable } from '../../platform/errors.ts';
import { nameOfPlayer } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import { storeAdvances, storePuts } from './change-store.ts';
import { decide } from './save-rules.ts';
import type { Decision, PutRequest, SaveRequest } from './save-rules.ts';
import { listHeads, listVersionsOf } from './store.ts';
import type { Save } from './store.ts';

export type PutOutcome =
  | { kind: 'stored'; version: number; updated_at: string }
  /** Not stored: the server has this save. */
  | { kind: 'conflict'; save: Save };

type SaveOutcome = PutOutcome | { kind: 'deleted' } | { kind: 'absent' };

/** Stores and deletes saves; an outcome is committed when it is returned. */
export interface SaveWriter {
  put(player: PlayerKey, sent: Omit<PutRequest, 'kind' | 'player'>): Promise<PutOutcome>;
  /** @returns whether there was a save. */
  delete(player: PlayerKey): Promise<boolean>;
  /** Refuses new requests and resolves when all accepted ones are answered. */
  close(): Promise<void>;
}

/** Requests of a batch about one player's save. */
type PlayerRequests = RequestGroup<SaveRequest>;

type PlayerPuts = RequestGroup<PutRequest>;

type Results = BatchResults<SaveOutcome>;

/** Five saves of 100 KB take about 5 ms: others should not wait longer. */
const MAX_BATCH_BYTES = 512 * 1024;
const MAX_QUEUE_BYTES = 64 * 1024 * 1024;
/** A round stores nothing only if another node has stored something meanwhile. */
const MAX_ROUNDS = 100;

/**
 * Batches saves and deletions. One statement decides and stores plain saves, which are most
 * requests. For the others, one look-up reads the states of their saves, the rules decide every
 * request, and one statement stores all changes. It stores nothing for a player whose save another
 * node has changed since the look-up; the requests of this player are decided again.
 */
export function createSaveWriter(database: Database): SaveWriter {
  const batcher = createBatcher<SaveRequest, SaveOutcome>({
    name: 'saves',
    max_batch_size: 200,
    max_queue_length: 20_000,
    gameOf: ({ player }) => player.game_id,
    bytes: {
      of: (request) => (request.kind === 'put' ? request.size_bytes : 0),
      max_batch: MAX_BATCH_BYTES,
      max_queue: MAX_QUEUE_BYTES,
    },
    flush: (requests) =>
      answerInRounds<PlayerRequests, SaveOutcome>(
        requests.length,
        groupRequests(requests, ({ player }) => nameOfPlayer(player)),
        (open, results, round) => {
          if (round > MAX_ROUNDS) throw unavailable('Others save for this player too often');
          return (round === 0 ? storePlainPuts : storeDecided)(database, open, results);
        },
      ),
  });
  return {
    put: (player, sent) => batcher.submit({ kind: 'put', player, ...sent }) as Promise<PutOutcome>,
    delete: async (player) => (await batcher.submit({ kind: 'delete', player })).kind === 'deleted',
    close: () => batcher.close(),
  };
}

const playerOf = ({ requests }: PlayerRequests): PlayerKey => requests[0]!.player;

/** @returns the players whose requests are not plain, or whose saves were in conflict. */
async function storePlainPuts(
  database: Database,
  players: PlayerRequests[],
  results: Results,
): Promise<PlayerRequests[]> {
  const plain = players.filter(isPlain);
  const stored = await runFor(plain, () =>
    storePuts(
      database,
      plain.map((puts) => ({
        player: playerOf(puts),
        expected_version: puts.requests[0]!.expected_version,
        data: puts.requests.map(({ data }) => data),
      })),
    ),
  );
  return players.filter((player) => {
    const change = stored.get(player);
    if (!change) return true;
    const { version, changed_at } = change;
    player.places.forEach((place, step) => {
      const later = player.places.length - 1 - step;
      results[place] = { kind: 'stored', version: version - later, updated_at: changed_at };
    });
    return false;
  });
}

/** Whether all requests are saves, and none but the first expects a version. */
function isPlain(player: PlayerRequests): player is PlayerPuts {
  return player.requests.every((request, step) => {
    if (request.kind !== 'put' || request.limit_reached !== null) return false;
    const { expected_version } = request;
    // PostgreSQL refuses a version that is larger than its integers, and the batch with it.
    return expected_version === null || (step === 0 && Number.isSafeInteger(expected_version));
  });
}

/**
 * Decides the requests of each player and stores the changes.
 * @returns the players whose saves another node has changed meanwhile: nothing of theirs is stored.
 */
async function storeDecided(
  database: Database,
  players: PlayerRequests[],
  results: Results,
): Promise<PlayerRequests[]> {
  const heads = await listHeads(database, players.map(playerOf), players.some(isAtLimit));
  const decided = players.map((group, index) => {
    const head = heads[index]!;
    return { group, player: playerOf(group), head, ...decide(head, group.requests) };
  });
  const conflicts = decided.filter(({ decisions }) => decisions.some(isWithServer));
  const server_saves = await runFor(conflicts, () =>
    listVersionsOf(
      database,
      conflicts.map(({ player, head }) => ({ player, version: head.version })),
    ),
  );
  // Null: the version is no longer kept, so another node has saved since.
  const changed = decided.filter(
    (each) => each.next.revision !== each.head.revision && server_saves.get(each) !== null,
  );
  const changes = await runFor(changed, () => storeAdvances(database, changed));

  const overtaken = decided.filter((each) => {
    const server_save = server_saves.get(each);
    const change = changes.get(each);
    if (server_save === null || change === null) return true;
    each.decisions.forEach((decision, index) => {
      const place = each.group.places[index]!;
      results[place] = toOutcome(decision, server_save, change?.changed_at);
    });
    return false;
  });
  return overtaken.map(({ group }) => group);
}

/** Whether the size of the last version decides about a request. */
const isAtLimit = ({ requests }: PlayerRequests) =>
  requests.some((request) => request.kind === 'put' && request.limit_reached !== null);

const isWithServer = (decision: Decision) =>
  decision.kind === 'conflict' && decision.with_version === null;

/** Runs a statement about items if there are any. @returns the answer about each item. */
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
