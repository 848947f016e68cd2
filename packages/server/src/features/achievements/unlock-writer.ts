import { createGroupBatcher } from '../../platform/batch/batcher.ts';
import type { GroupBatcher } from '../../platform/batch/batcher.ts';
import type { Database } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { sql } from '../../platform/database/sql.ts';
import { unavailable } from '../../platform/errors.ts';
import { keyArrays, nameOfPlayer } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import { insertUnlocks } from './insert-unlocks.ts';
import type { Player, Unlock } from './insert-unlocks.ts';

interface UnlockRequest extends PlayerKey {
  achievement_key: string;
}

interface UnlockAnswer {
  achievement: { key: string; name: string; description: string; points: number };
  /** True if the player had the achievement before this request. */
  already_unlocked: boolean;
  /** The points of all achievements that the player has unlocked, this one included. */
  total_points: number;
}

/**
 * Unlocks achievements. Answers null if the key is unknown, or archived and not unlocked by the player yet.
 */
export type UnlockWriter = GroupBatcher<UnlockRequest, UnlockAnswer | null>;

/**
 * Batches unlocks: one statement inserts the new ones, and after its commit another
 * statement reads the totals of the players. If one statement did both, two servers that
 * unlock for one player at the same time would each miss the unlock of the other server.
 * @param mayListen Tells whether webhooks of one of the games may listen to unlocks.
 */
export function createUnlockWriter(
  hot: GroupedDatabase,
  mayListen: (game_ids: readonly string[]) => Promise<boolean>,
): UnlockWriter {
  return createGroupBatcher(hot, {
    name: 'unlocks',
    max_batch_size: 500,
    max_queue_length: 20_000,
    gameOf: ({ game_id }) => game_id,
    async flush(database, requests) {
      const asked = collapse(requests);
      const games = requests.map(({ game_id }) => game_id);
      await insertUnlocks(database, [...new Set(asked)], await mayListen(games));
      const found = asked.filter(({ definition }) => definition !== null);
      await readTotals(database, [...new Set(found.map(({ player }) => player))]);
      return answerInOrder(asked);
    },
  });
}

/** Makes an `Unlock` for each request, in the order of the requests. Equal requests share one `Unlock`. */
function collapse(requests: UnlockRequest[]): Unlock[] {
  const players = new Map<string, Player>();
  const unlocks = new Map<string, Unlock>();
  return requests.map(({ achievement_key, ...key }) => {
    const player_name = nameOfPlayer(key);
    const player = players.get(player_name) ?? { ...key, total_points: 0 };
    players.set(player_name, player);
    // NUL separates the names, because they may have any other character.
    const name = `${player_name}\0${achievement_key}`;
    const unlock = unlocks.get(name) ?? {
      player,
      achievement_key,
      definition: null,
      is_new: false,
    };
    unlocks.set(name, unlock);
    return unlock;
  });
}

/** Fills in `total_points` of each player: the points of all unlocked achievements. */
async function readTotals(database: Database, players: Player[]): Promise<void> {
  if (players.length === 0) return;
  const rows = await database
    .query<{ index: number; total_points: number }>(sql`
      SELECT number - 1 AS index, total_points
      FROM unnest(${keyArrays(players)}) WITH ORDINALITY
        AS asked (game_id, environment, player_id, number)
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(points), 0) AS total_points
        FROM achievement_unlocks AS had
        JOIN achievements ON achievements.game_id = had.game_id AND key = achievement_key
        WHERE had.game_id = asked.game_id AND had.environment = asked.environment
          AND had.player_id = asked.player_id
        OFFSET 0
      ) AS total`)
    .catch((cause: unknown) => {
      // The inserts are committed, so the batch must not be tried again as if nothing were stored.
      throw unavailable('The database is unavailable, try again in a second', cause);
    });
  for (const { index, total_points } of rows) players[index]!.total_points = total_points;
}

/**
 * Makes answers as if the requests had come one after the
 * other: each answer has the player's points after its request.
 */
function answerInOrder(asked: Unlock[]): (UnlockAnswer | null)[] {
  for (const { player, definition, is_new } of new Set(asked)) {
    if (is_new) player.total_points -= definition!.points;
  }
  return asked.map((unlock) => {
    const { player, achievement_key, definition, is_new } = unlock;
    if (definition === null) return null;
    if (is_new) player.total_points += definition.points;
    // Later requests of the batch find the achievement unlocked.
    unlock.is_new = false;
    return {
      achievement: { key: achievement_key, ...definition },
      already_unlocked: !is_new,
      total_points: player.total_points,
    };
  });
}
