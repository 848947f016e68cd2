import { createBatcher } from '../../platform/batch/batcher.ts';
import type { Batcher } from '../../platform/batch/batcher.ts';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { unavailable } from '../../platform/errors.ts';
import { lockPlayersOf } from '../../platform/players/player-lock.ts';
import { keyArrays } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';

export interface UnlockRequest extends PlayerKey {
  achievement_key: string;
}

export interface UnlockAnswer {
  achievement: { key: string; name: string; description: string; points: number };
  /** Whether the player had it before this request. */
  already_unlocked: boolean;
  /** Points of all that the player has unlocked, this included. */
  total_points: number;
}

/** Unlocks achievements; null for a key that is unknown, or archived and not the player's. */
export type UnlockWriter = Batcher<UnlockRequest, UnlockAnswer | null>;

/** A player that requests of a batch are about. */
interface Player extends PlayerKey {
  total_points: number;
}

/** What one or more requests of a batch ask for. */
interface Unlock {
  player: Player;
  achievement_key: string;
  /** Null until found. */
  definition: { name: string; description: string; points: number } | null;
  is_new: boolean;
}

/**
 * Batches unlocks: one statement inserts what is new, then, after its commit, another reads the
 * totals of the players concerned. Read in the same statement, two nodes that unlock for one player
 * at once would each miss what the other is about to commit.
 */
export function createUnlockWriter(database: Database): UnlockWriter {
  return createBatcher({
    name: 'unlocks',
    max_batch_size: 500,
    max_queue_length: 20_000,
    async flush(requests) {
      const asked = collapse(requests);
      await insertUnlocks(database, [...new Set(asked)]);
      const found = asked.filter(({ definition }) => definition !== null);
      await readTotals(database, [...new Set(found.map(({ player }) => player))]);
      return answerInOrder(asked);
    },
  });
}

/** One `Unlock` a request; requests for the same share one, and one player. */
function collapse(requests: UnlockRequest[]): Unlock[] {
  const players = new Map<string, Player>();
  const unlocks = new Map<string, Unlock>();
  return requests.map(({ achievement_key, ...key }) => {
    // Names may hold any character but NUL.
    const playerName = `${key.game_id}\0${key.environment}\0${key.player_id}`;
    const player = players.get(playerName) ?? { ...key, total_points: 0 };
    players.set(playerName, player);
    const unlockName = `${playerName}\0${achievement_key}`;
    const unlock = unlocks.get(unlockName) ?? {
      player,
      achievement_key,
      definition: null,
      is_new: false,
    };
    unlocks.set(unlockName, unlock);
    return unlock;
  });
}

/** Inserts the unlocks that are new, and their players; fills in what was found of each. */
async function insertUnlocks(database: Database, unlocks: Unlock[]): Promise<void> {
  // The key share locks, which foreign keys would take too, make a deletion wait: that of an
  // achievement then finds the unlock and archives instead, that of a player deletes the unlock.
  const rows = await database.query<FoundRow>(sql`
    WITH asked AS (
      SELECT * FROM unnest(${keyArrays(unlocks.map(({ player }) => player))},
                           ${unlocks.map(({ achievement_key }) => achievement_key)}::text[])
        WITH ORDINALITY AS asked (game_id, environment, player_id, achievement_key, number)
    ), defined AS MATERIALIZED (
      SELECT asked.*, name, description, points, archived
      FROM asked
      CROSS JOIN LATERAL (
        SELECT name, description, points, archived
        FROM achievements
        WHERE achievements.game_id = asked.game_id AND key = achievement_key
        OFFSET 0
        FOR KEY SHARE
      ) AS definition
    ), inserted AS (
      INSERT INTO achievement_unlocks (game_id, environment, player_id, achievement_key)
      SELECT game_id, environment, player_id, achievement_key
      FROM defined
      WHERE NOT archived
      ORDER BY game_id, environment, player_id, achievement_key
      ON CONFLICT DO NOTHING
      RETURNING game_id, environment, player_id, achievement_key
    ), held AS MATERIALIZED (${lockPlayersOf(sql`inserted`)}
    ), named AS (
      INSERT INTO players (game_id, environment, player_id)
      SELECT DISTINCT game_id, environment, player_id
      FROM inserted
      ORDER BY game_id, environment, player_id
      ON CONFLICT DO NOTHING
    )
    SELECT number - 1 AS index, name, description, points, inserted.player_id IS NOT NULL AS is_new,
           (SELECT count(*) FROM held) AS held
    FROM defined
    LEFT JOIN inserted USING (game_id, environment, player_id, achievement_key)
    WHERE NOT archived OR (
      SELECT true FROM achievement_unlocks AS had
      WHERE had.game_id = defined.game_id AND had.environment = defined.environment
        AND had.player_id = defined.player_id AND had.achievement_key = defined.achievement_key)`);
  for (const { index, name, description, points, is_new } of rows) {
    Object.assign(unlocks[index]!, { definition: { name, description, points }, is_new });
  }
}

interface FoundRow {
  index: number;
  name: string;
  description: string;
  points: number;
  is_new: boolean;
}

/** Fills in the points of all that each player has unlocked. */
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
      // The inserts are committed: the batch must not be taken for one that changed nothing.
      throw unavailable('The database is unavailable, try again in a second', cause);
    });
  for (const { index, total_points } of rows) players[index]!.total_points = total_points;
}

/** Answers as if the requests had come one after the other, each total as of its request. */
function answerInOrder(asked: Unlock[]): (UnlockAnswer | null)[] {
  for (const { player, definition, is_new } of new Set(asked)) {
    if (is_new) player.total_points -= definition!.points;
  }
  return asked.map((unlock) => {
    const { player, achievement_key, definition, is_new } = unlock;
    if (definition === null) return null;
    if (is_new) player.total_points += definition.points;
    // Later requests of the batch for the same find it unlocked.
    unlock.is_new = false;
    return {
      achievement: { key: achievement_key, ...definition },
      already_unlocked: !is_new,
      total_points: player.total_points,
    };
  });
}
