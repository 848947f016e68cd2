import type { PlayerDeletion } from '@overworld/contract/players/player-deletions';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { joinSql, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { matchesText, prepareText } from '../search/find-by-text.ts';
import { readConditions, requireKnownStats } from '../search/player-conditions.ts';
import type { PlayerConditions } from '../search/player-conditions.ts';

/** A step of a deletion, which one server at a time does. */
export interface DeletionStep extends Tenant {
  deletion_id: string;
  conditions: PlayerConditions;
  after_player_id: string;
}

/** After this time without a step, another server goes on with the deletion. */
const STEP_SECONDS = 30;

const deletionColumns = sql`
  CASE WHEN ended_at IS NULL THEN 'running' ELSE 'ended' END AS state,
  player_count, deleted_count, begun_at, ended_at`;

/** SQL that is true for players of the environment who meet the conditions. */
async function matchingPlayers(
  database: Queryable,
  tenant: Tenant,
  conditions: PlayerConditions,
): Promise<Sql> {
  const { search } = conditions;
  const text =
    search === undefined ? [] : [matchesText(await prepareText(database, tenant, search))];
  return joinSql([isOfTenant(tenant), ...readConditions(conditions), ...text], ' AND ');
}

/** Counts the players who meet the conditions. @throws ApiError 400 when a condition is not valid. */
export async function countMatching(
  tx: Queryable,
  tenant: Tenant,
  conditions: PlayerConditions,
): Promise<number> {
  await requireKnownStats(tx, tenant.game_id, conditions);
  const row = await tx.queryOne<{ count: number }>(sql`
    SELECT count(*) AS count FROM players WHERE ${await matchingPlayers(tx, tenant, conditions)}`);
  return row!.count;
}

/** Lists the ids of the next players of a deletion, in the order of ids. */
export async function listNext(
  database: Queryable,
  { conditions, after_player_id, ...tenant }: DeletionStep,
  count: number,
): Promise<string[]> {
  const rows = await database.query<{ player_id: string }>(sql`
    SELECT players.player_id FROM players
    WHERE ${await matchingPlayers(database, tenant, conditions)}
      AND players.player_id > ${after_player_id}
    ORDER BY players.player_id
    LIMIT ${count}`);
  return rows.map(({ player_id }) => player_id);
}

/** Tells whether a player meets the conditions of a deletion now. */
export async function stillMatches(
  database: Queryable,
  { conditions, ...tenant }: DeletionStep,
  player_id: string,
): Promise<boolean> {
  const found = await database.execute(sql`
    SELECT FROM players
    WHERE ${await matchingPlayers(database, tenant, conditions)}
      AND players.player_id = ${player_id}`);
  return found > 0;
}

/** Stores a deletion in place of the one before it. @returns null while the one before it runs. */
export const insertDeletion = (
  tx: Queryable,
  { game_id, environment }: Tenant,
  conditions: PlayerConditions,
  player_count: number,
): Promise<PlayerDeletion | null> =>
  tx.queryOne<PlayerDeletion>(sql`
    INSERT INTO player_deletions AS known (game_id, environment, conditions, player_count)
    VALUES (${game_id}, ${environment}, ${JSON.stringify(conditions)}::jsonb, ${player_count})
    ON CONFLICT (game_id, environment) DO UPDATE
    SET deletion_id = EXCLUDED.deletion_id, conditions = EXCLUDED.conditions,
        player_count = EXCLUDED.player_count, deleted_count = 0, after_player_id = '',
        begun_at = EXCLUDED.begun_at, ended_at = NULL, next_step_at = EXCLUDED.next_step_at
    WHERE known.ended_at IS NOT NULL
    RETURNING ${deletionColumns}`);

/** Finds the newest deletion of an environment. */
export const findDeletion = (database: Queryable, tenant: Tenant): Promise<PlayerDeletion | null> =>
  database.queryOne<PlayerDeletion>(sql`
    SELECT ${deletionColumns} FROM player_deletions WHERE ${isOfTenant(tenant)}`);

/** Ends the deletion that runs. @returns the number of deleted players; null when none runs. */
export async function endDeletion(tx: Queryable, tenant: Tenant): Promise<number | null> {
  const row = await tx.queryOne<{ deleted_count: number }>(sql`
    UPDATE player_deletions SET ended_at = now()
    WHERE ${isOfTenant(tenant)} AND ended_at IS NULL
    RETURNING deleted_count`);
  return row && row.deleted_count;
}

/** Takes the step that has waited longest, so that the deletions of several games take turns. */
export const claimStep = (group: Database): Promise<DeletionStep | null> =>
  group.queryOne<DeletionStep>(sql`
    UPDATE player_deletions
    SET next_step_at = now() + ${STEP_SECONDS}::integer * interval '1 second'
    WHERE (game_id, environment) IN (
      SELECT game_id, environment FROM player_deletions
      WHERE ended_at IS NULL AND next_step_at <= now()
      ORDER BY next_step_at
      LIMIT 1
      FOR UPDATE SKIP LOCKED
    )
    RETURNING game_id, environment, deletion_id, conditions, after_player_id`);

const isRunning = ({ deletion_id, ...tenant }: Tenant & { deletion_id: string }): Sql =>
  sql`${isOfTenant(tenant)} AND deletion_id = ${deletion_id} AND ended_at IS NULL`;

/**
 * Counts a player in the transaction that erases the player. @returns false when the deletion has ended
 * meanwhile.
 */
export async function countErased(
  tx: Queryable,
  step: DeletionStep,
  player_id: string,
): Promise<boolean> {
  const count = await tx.execute(sql`
    UPDATE player_deletions
    SET deleted_count = deleted_count + 1, after_player_id = ${player_id},
        next_step_at = now() + ${STEP_SECONDS}::integer * interval '1 second'
    WHERE ${isRunning(step)}`);
  return count > 0;
}

/** Makes the next step due, or ends the deletion. @param after The last player of this step. */
export async function finishStep(
  database: Queryable,
  step: DeletionStep,
  after: string | undefined,
  isLast: boolean,
): Promise<void> {
  await database.execute(sql`
    UPDATE player_deletions
    SET after_player_id = ${after ?? step.after_player_id}, next_step_at = now(),
        ended_at = ${isLast ? sql`now()` : sql`NULL`}
    WHERE ${isRunning(step)}`);
}
