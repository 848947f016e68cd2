import type { Database, Queryable } from '../../../platform/database/database.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import type { Merge, PlayerDataSource } from '../../../platform/players/player-data-source.ts';
import { lockPlayersOf } from '../../../platform/players/player-lock.ts';
import { isOfPlayer, isOfTenant, PLAYER_KEY } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import type { ExperimentKey } from '../store.ts';

/** The first answer with a variant that a player got. */
export interface Exposure extends PlayerKey {
  experiment_id: string;
  variant: number;
}

/** The variants of a player by experiment, also of those that have ended. */
export async function listVariants(
  database: Queryable,
  player: PlayerKey,
): Promise<Map<string, number>> {
  // With ids of experiments, a plan made while the table was empty might read all their players.
  const rows = await database.query<{ experiment_id: string; variant: number }>(
    sql`SELECT experiment_id, variant FROM experiment_exposures WHERE ${isOfPlayer(player)}`,
  );
  return new Map(rows.map(({ experiment_id, variant }) => [experiment_id, variant]));
}

/**
 * Stores the exposures that are new, and makes their players. Those of experiments that have ended
 * meanwhile are left out.
 */
export async function insertExposures(
  database: Database,
  exposures: readonly Exposure[],
): Promise<void> {
  // The key share locks make the deletion of an experiment wait, so that it finds these rows.
  await database.query(sql`
    WITH sent AS (
      SELECT game_id, environment, player_id, experiment_id, min(variant)::smallint AS variant
      FROM ${rowsAs('sent', exposures, { ...PLAYER_KEY, experiment_id: 'uuid', variant: 'integer' })}
      GROUP BY game_id, environment, player_id, experiment_id
    ), running AS MATERIALIZED (
      SELECT sent.*
      FROM sent
      CROSS JOIN LATERAL (
        SELECT FROM experiments
        WHERE experiments.game_id = sent.game_id AND experiments.environment = sent.environment
          AND experiments.experiment_id = sent.experiment_id AND state = 'running'
        OFFSET 0
        FOR KEY SHARE
      ) AS experiment
    ), inserted AS (
      INSERT INTO experiment_exposures
        (game_id, environment, player_id, experiment_id, variant, exposed_at)
      SELECT game_id, environment, player_id, experiment_id, variant, now()
      FROM running
      ORDER BY game_id, environment, player_id, experiment_id
      ON CONFLICT DO NOTHING
      RETURNING game_id, environment, player_id
    ), ${lockPlayersOf(sql`inserted`)}
    SELECT count(*) FROM locked_players`);
}

/** @returns the number of rows that were deleted, at most `limit`. */
export async function deleteExposures(
  database: Queryable,
  { experiment_id, ...tenant }: ExperimentKey,
  limit: number,
): Promise<number> {
  return database.execute(sql`
    DELETE FROM experiment_exposures
    WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM experiment_exposures
      WHERE ${isOfTenant(tenant)} AND experiment_id = ${experiment_id} LIMIT ${limit}))`);
}

/**
 * The exposures of players, to export, merge and erase. In a merge of players of two
 * variants the player who stays keeps the own one, and results leave the player out.
 */
export function createExposureSource(database: Database): PlayerDataSource {
  return {
    name: 'experiments',
    exportPlayer: (player) =>
      database.query(sql`
        SELECT experiment_id, name AS experiment_name, variant, exposed_at
        FROM experiment_exposures
        JOIN experiments USING (game_id, environment, experiment_id)
        WHERE ${isOfPlayer(player)}
        ORDER BY experiment_exposures.exposed_at, experiment_id`),
    async deletePlayer(tx, player) {
      await tx.execute(sql`DELETE FROM experiment_exposures WHERE ${isOfPlayer(player)}`);
    },
    async mergePlayer(tx, merge) {
      await moveExposures(tx, merge);
      return {};
    },
  };
}

async function moveExposures(tx: Queryable, { player, from }: Merge): Promise<void> {
  await tx.execute(sql`
    WITH moved AS (
      DELETE FROM experiment_exposures WHERE ${isOfPlayer(from)} RETURNING *
    )
    INSERT INTO experiment_exposures AS known
      (game_id, environment, player_id, experiment_id, variant, exposed_at, is_mixed)
    SELECT game_id, environment, ${player.player_id}, experiment_id, variant, exposed_at, is_mixed
    FROM moved
    ORDER BY experiment_id
    ON CONFLICT (game_id, environment, player_id, experiment_id) DO UPDATE
    SET exposed_at = LEAST(known.exposed_at, EXCLUDED.exposed_at),
        is_mixed = known.is_mixed OR EXCLUDED.is_mixed OR known.variant <> EXCLUDED.variant`);
}
