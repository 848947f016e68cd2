import type { Database, Queryable } from '../../../platform/database/database.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { exportRows } from '../../../platform/players/export-rows.ts';
import { isGone } from '../../../platform/players/merged-ids.ts';
import type { PlayerDataSource } from '../../../platform/players/player-data-source.ts';
import { isOfPlayer, isOfTenant, PLAYER_KEY } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { forgetDaysOf } from '../results/day-store.ts';
import type { ExperimentKey } from '../store.ts';

/** An exposure: the first time that a player got an answer with a variant of the experiment. */
export interface Exposure extends PlayerKey {
  experiment_id: string;
  variant: number;
}

/** The variant of a player in each experiment. The keys are ids of experiments. */
export type Variants = ReadonlyMap<string, number>;

/**
 * Lists the variants of each player, in the order of `players`. Variants of experiments that have ended are
 * included. A device that still has the id of a merged player gets the variants of the player who stays.
 */
export async function listVariants(
  database: Queryable,
  players: readonly PlayerKey[],
): Promise<Variants[]> {
  const asked = players.map((player, place) => ({ ...player, place }));
  const rows = await database.query<{ place: number; experiment_id: string; variant: number }>(sql`
    SELECT place, experiment_id, variant
    FROM ${rowsAs('asked', asked, { ...PLAYER_KEY, place: 'integer' })}
    ${joinMerge(sql`asked`)}
    -- No condition on experiments: a plan made while the table was empty might read all their players.
    CROSS JOIN LATERAL (
      SELECT experiment_id, variant FROM experiment_exposures AS exposure
      WHERE exposure.game_id = asked.game_id AND exposure.environment = asked.environment
        AND exposure.player_id = COALESCE(into_player_id, asked.player_id)
      OFFSET 0
    ) AS exposure`);
  const variants = players.map(() => new Map<string, number>());
  for (const { place, experiment_id, variant } of rows) {
    variants[place]!.set(experiment_id, variant);
  }
  return variants;
}

/**
 * SQL that adds `into_player_id`. If the player of the row was merged, this is the player who stays;
 * otherwise it is null.
 */
const joinMerge = (row: Sql): Sql => sql`
  LEFT JOIN LATERAL (
    SELECT merge.player_id AS into_player_id FROM player_merges AS merge
    WHERE merge.game_id = ${row}.game_id AND merge.environment = ${row}.environment
      AND from_player_id = ${row}.player_id AND ${isGone(sql`merge`)}
    OFFSET 0
  ) AS merge ON true`;

/**
 * Stores the exposures that are new, and creates missing players. Exposures of merged players go to the
 * players who stay. Exposures of experiments that have ended meanwhile are left out. Exposures of players
 * who are just being merged or erased are left out too; the next answer to such a player makes the exposure
 * again. Players are locked before their exposures are written, as in a merge.
 */
export async function insertExposures(
  database: Database,
  exposures: readonly Exposure[],
): Promise<void> {
  // The key share locks make the deletion of an experiment wait, so the deletion finds these rows.
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
    ), followed AS MATERIALIZED (
      SELECT game_id, environment, COALESCE(into_player_id, player_id) AS player_id,
             experiment_id, min(variant) AS variant
      FROM running
      ${joinMerge(sql`running`)}
      GROUP BY 1, 2, 3, 4
    ), named AS MATERIALIZED (
      SELECT named.*, EXISTS (
          SELECT FROM players AS known
          WHERE known.game_id = named.game_id AND known.environment = named.environment
            AND known.player_id = named.player_id AND counted_at IS NOT NULL
          OFFSET 0
        ) AS is_known
      FROM (SELECT DISTINCT game_id, environment, player_id FROM followed) AS named
    ), new_players AS (
      INSERT INTO players AS known (game_id, environment, player_id)
      SELECT game_id, environment, player_id FROM named
      WHERE NOT is_known
      ORDER BY game_id, environment, player_id
      ON CONFLICT (game_id, environment, player_id) DO UPDATE
      SET counted_at = EXCLUDED.counted_at
      WHERE known.counted_at IS NULL
      RETURNING player_id
    ), made AS MATERIALIZED (
      SELECT count(*) AS players FROM new_players
    ), locked AS MATERIALIZED (
      -- Reads from the rows of "made", so that new players are made before the others are locked.
      SELECT sorted.game_id, sorted.environment, sorted.player_id
      FROM (SELECT named.* FROM named CROSS JOIN made
            WHERE is_known AND made.players >= 0
            ORDER BY game_id, environment, player_id) AS sorted
      CROSS JOIN LATERAL (
        SELECT FROM players
        WHERE players.game_id = sorted.game_id AND players.environment = sorted.environment
          AND players.player_id = sorted.player_id
        OFFSET 0
        FOR KEY SHARE
      ) AS player
      UNION ALL
      SELECT game_id, environment, player_id FROM named WHERE NOT is_known
    )
    INSERT INTO experiment_exposures
      (game_id, environment, player_id, experiment_id, variant, exposed_at)
    SELECT game_id, environment, player_id, experiment_id, variant, now()
    FROM followed JOIN locked USING (game_id, environment, player_id)
    ORDER BY game_id, environment, player_id, experiment_id
    ON CONFLICT DO NOTHING`);
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
 * The exposures of players. If two players with different variants are merged, the player who stays keeps its
 * own variant, and results do not count this player.
 */
export const exposureSource: PlayerDataSource = {
  name: 'experiments',
  tables: [
    {
      table: 'experiment_exposures',
      merge: {
        key: ['experiment_id'],
        columns: {
          variant: 'keep',
          exposed_at: 'earliest',
          is_mixed: sql`known.is_mixed OR EXCLUDED.is_mixed OR known.variant <> EXCLUDED.variant`,
        },
      },
    },
  ],
  exportPlayer: exportRows({
    columns: sql`experiment_id, name AS experiment_name, variant, exposed_at`,
    from: sql`experiment_exposures JOIN experiments USING (game_id, environment, experiment_id)`,
    order: ['exposed_at', 'experiment_id'],
  }),
  async erasePlayer(tx, player) {
    await keepExposuresOut(tx, player);
    await forgetDaysOf(tx, [player]);
  },
  async mergePlayer(tx, { player, from }) {
    await keepExposuresOut(tx, from);
    await forgetDaysOf(tx, [player, from]);
  },
};

/** Locks a player before its exposures, as `insertExposures` does, so the two functions never deadlock. */
const keepExposuresOut = (tx: Queryable, player: PlayerKey) =>
  tx.execute(sql`SELECT FROM players WHERE ${isOfPlayer(player)} FOR UPDATE`);
