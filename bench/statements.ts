import { MAIN_SLOT } from '@overworld/contract/saves/limits';
import type { KeyCaller } from '../packages/server/src/platform/auth/api-keys.ts';
import type { Database } from '../packages/server/src/platform/database/database.ts';
import type { GroupedDatabase } from '../packages/server/src/platform/database/game-groups.ts';
import type { PlayerKey } from '../packages/server/src/platform/players/player-key.ts';
import { listUnlockTimes } from '../packages/server/src/features/achievements/unlock-store.ts';
import { createUnlockWriter } from '../packages/server/src/features/achievements/unlock-writer.ts';
import { storeRequests } from '../packages/server/src/features/events/inbox/inbox-store.ts';
import { readAndImprove } from '../packages/server/src/features/leaderboards/submits/player-states.ts';
import { nextVersion } from '../packages/server/src/features/leaderboards/store.ts';
import { readBoards } from '../packages/server/src/features/leaderboards/board-reads.ts';
import type { SeasonState } from '../packages/server/src/features/leaderboards/store.ts';
import { mergeProperties } from '../packages/server/src/features/players/writes/hot-store.ts';
import { storePuts } from '../packages/server/src/features/saves/writes/change-store.ts';
import { createStatWriter } from '../packages/server/src/features/stats/changes/stat-writer.ts';
import { listValues } from '../packages/server/src/features/stats/stat-store.ts';
import { listSaves } from '../packages/server/src/features/saves/store.ts';
import { makeRequest } from './request-shape.ts';
import type { RequestShape } from './request-shape.ts';

/**
 * Prepares the SQL statements of one line of the benchmark's table, that is, of one kind of request. They
 * can then be run without the rest of the server. The CPU time that PostgreSQL needs for them is a lower
 * bound for the cost of the request. Returns a function that runs the statements once, for a batch of
 * `size` requests.
 */
export type Statement = (
  database: GroupedDatabase,
  game_id: string,
  size: number,
) => () => Promise<unknown>;

const environment = 'production';

const random = (limit: number) => 1 + Math.floor(Math.random() * limit);

/** Picks `size` distinct players at random. */
function pickPlayers(game_id: string, players: number, size: number): PlayerKey[] {
  const numbers = new Set<number>();
  while (numbers.size < size) numbers.add(random(players));
  return [...numbers].map((number) => ({ game_id, environment, player_id: `player-${number}` }));
}

export const insertEvents =
  (shape: RequestShape, events: number): Statement =>
  (database, game_id, size) => {
    const caller: KeyCaller = {
      kind: 'key',
      key_kind: 'client',
      key_id: game_id,
      first_key_id: game_id,
      game_id,
      environment,
      event_quota: Number.MAX_SAFE_INTEGER,
      event_validation: 'off',
      player_name_property: null,
      verification: 'off',
      allows_claims: true,
      environment_quota: null,
      raised_requests: null,
      shares: null,
    };
    return () => {
      const requests = Array.from({ length: size }, () => {
        const body = makeRequest(shape).body!;
        const text = events === 1 ? `[${body}]` : body;
        return { caller, event_count: events, text, warnings: [], warned: [], idempotency: null };
      });
      return database.ofGame(game_id).runAtomically((tx) => storeRequests(tx, requests));
    };
  };

export const storeSaves =
  (bytes: number, players: number): Statement =>
  (database, game_id, size) => {
    const data = `{"level":1,"bag":"${'x'.repeat(bytes - 24)}"}`;
    return () =>
      database.ofGame(game_id).runAtomically((tx) =>
        storePuts(
          tx,
          pickPlayers(game_id, players, size).map((player) => ({
            save: { ...player, slot: MAIN_SLOT },
            expected_version: null,
            versions: [{ data, app_version: '1.0.0' }],
          })),
        ),
      );
  };

export const readSaves =
  (players: number): Statement =>
  (database, game_id, size) =>
  () =>
    listSaves(
      database.ofGame(game_id),
      pickPlayers(game_id, players, size).map((player) => ({ ...player, slot: MAIN_SLOT })),
    );

export const mergePlayers =
  (players: number): Statement =>
  (database, game_id, size) =>
  () =>
    mergeProperties(
      database.ofGame(game_id),
      pickPlayers(game_id, players, size).map((player) => ({
        player,
        properties: `{"level":${random(50)},"country":"DE"}`,
        may_name: false,
      })),
    );

export const unlockAchievements =
  (players: number): Statement =>
  (database, game_id, size) => {
    const writer = createUnlockWriter(database, async () => false);
    return () =>
      Promise.all(
        pickPlayers(game_id, players, size).map((player) =>
          writer.submit({ ...player, achievement_key: `a${random(10)}` }),
        ),
      );
  };

export const readUnlocks =
  (players: number): Statement =>
  (database, game_id) =>
  () =>
    listUnlockTimes(database.ofGame(game_id), pickPlayers(game_id, players, 1)[0]!);

export const changeStats =
  (players: number, count: number): Statement =>
  (database, game_id, size) => {
    const writer = createStatWriter(database, null);
    const changes = Array.from({ length: count }, (_, index) => ({
      key: `s${index + 1}`,
      aggregation: 'sum' as const,
      value: 1_000_000n,
    }));
    return () =>
      Promise.all(
        pickPlayers(game_id, players, size).map((player) =>
          writer.change({ player, changes, sent: null, fieldOf: String }),
        ),
      );
  };

export const readStats =
  (players: number): Statement =>
  (database, game_id) =>
  () =>
    listValues(database.ofGame(game_id), pickPlayers(game_id, players, 1)[0]!);

const board_name = 'board';

export const readPages: Statement = (database, game_id) => () =>
  readSeason(database.ofGame(game_id), game_id);

export const storeBoardScores =
  (players: number): Statement =>
  (database, game_id, size) => {
    const group = database.ofGame(game_id);
    let season: SeasonState | undefined;
    return async () => {
      season ??= await readSeason(group, game_id);
      const next_version = nextVersion(season.version);
      const submits = pickPlayers(game_id, players, size).map(({ player_id }) => ({
        player_id,
        best: { score: next_version, player_name: null, metadata: null },
        requests: [],
      }));
      const key = { game_id, environment, board_name, season: season.number } as const;
      const { version } = season;
      const sent = [{ season: key, version, next_version, policy: null, players: submits }];
      await group.runAtomically((tx) => readAndImprove(tx, sent, new Date().toISOString()));
      season.version = next_version;
    };
  };

async function readSeason(database: Database, game_id: string): Promise<SeasonState> {
  const board = { game_id, environment, board_name } as const;
  const question = { board, season: null, known_version: null, entry_numbers: [], player_ids: [] };
  const [answer] = await readBoards(database, [question]);
  return answer!.state.season!;
}
