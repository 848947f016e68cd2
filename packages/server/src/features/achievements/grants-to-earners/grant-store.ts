import { GRANT_UNDO_DAYS } from '@overworld/contract/achievements/rule-limits';
import type { listAchievementGrants } from '@overworld/contract/achievements/grants';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { earnersOf } from '../rules/earners.ts';
import type { Earning } from '../rules/earners.ts';
import type { UnlockRule } from '../rules/unlock-rules.ts';

/** A grant of an achievement to all who have earned it. */
export type Grant = SuccessOf<typeof listAchievementGrants>['grants'][number];

/** Identifies a grant. */
export interface GrantKey {
  game_id: string;
  grant_id: string;
}

/** A grant with a piece of work that is due. */
export interface OpenGrant extends Tenant {
  id: string;
  achievement_key: string;
  unlock_when: UnlockRule;
  state: 'running' | 'undoing';
  after_player_id: string;
}

/** The most grants of a list. */
const MAX_LISTED = 50;

const grantColumns = sql`id, environment, achievement_key, unlock_when, state, player_count,
  granted_count, started_at, ended_at`;

const isGrant = ({ game_id, grant_id }: GrantKey): Sql =>
  sql`game_id = ${game_id} AND id = ${grant_id}`;

export const listGrants = (database: Queryable, tenant: Tenant): Promise<Grant[]> =>
  database.query(sql`
    SELECT ${grantColumns} FROM achievement_grants
    WHERE ${isOfTenant(tenant)}
    ORDER BY started_at DESC, id
    LIMIT ${MAX_LISTED}`);

/** Finds a grant, and locks it until the transaction ends. */
export const lockGrant = (tx: Queryable, key: GrantKey): Promise<Grant | null> =>
  tx.queryOne<Grant>(sql`
    SELECT ${grantColumns} FROM achievement_grants WHERE ${isGrant(key)} FOR UPDATE`);

/** Tells whether a grant of the achievement goes on in the environment. */
export async function isGranting(
  tx: Queryable,
  { achievement_key, ...tenant }: Tenant & { achievement_key: string },
): Promise<boolean> {
  const found = await tx.execute(sql`
    SELECT FROM achievement_grants
    WHERE ${isOfTenant(tenant)} AND achievement_key = ${achievement_key} AND ended_at IS NULL`);
  return found > 0;
}

/** Counts the players who have earned an achievement, and do not have it. */
export async function countEarners(database: Queryable, earning: Earning): Promise<number> {
  const row = await database.queryOne<{ count: number }>(sql`
    SELECT count(*) AS count FROM ${earnersOf(earning)}`);
  return row!.count;
}

export async function insertGrant(
  tx: Queryable,
  { game_id, environment, achievement_key, rule }: Earning,
  player_count: number,
): Promise<Grant> {
  const grant = await tx.queryOne<Grant>(sql`
    INSERT INTO achievement_grants
      (game_id, environment, achievement_key, unlock_when, player_count)
    VALUES (${game_id}, ${environment}, ${achievement_key}, ${JSON.stringify(rule)}::jsonb,
            ${player_count})
    RETURNING ${grantColumns}`);
  return grant!;
}

/** Lets a running grant of the achievement look at all players again. */
export async function restartGrant(
  tx: Queryable,
  { achievement_key, rule, ...tenant }: Earning,
): Promise<void> {
  await tx.execute(sql`
    UPDATE achievement_grants
    SET after_player_id = '', unlock_when = ${JSON.stringify(rule)}::jsonb
    WHERE ${isOfTenant(tenant)} AND achievement_key = ${achievement_key} AND state = 'running'`);
}

/** Begins to undo a grant. */
export async function beginUndo(tx: Queryable, key: GrantKey): Promise<Grant> {
  await tx.execute(sql`
    UPDATE achievement_grants SET state = 'undoing', ended_at = NULL, next_piece_at = now()
    WHERE ${isGrant(key)}`);
  return (await lockGrant(tx, key))!;
}

/** Tells whether a grant goes on in a group of games. It costs less than a transaction. */
export const hasOpenGrants = async (group: Database): Promise<boolean> =>
  (await group.execute(sql`SELECT FROM achievement_grants WHERE ended_at IS NULL LIMIT 1`)) > 0;

/**
 * Locks the grant whose next piece has waited longest, so that the grants of several games take turns. Other
 * servers leave it out until the transaction ends.
 */
export const claimPiece = (tx: Queryable): Promise<OpenGrant | null> =>
  tx.queryOne<OpenGrant>(sql`
    SELECT game_id, environment, id, achievement_key, unlock_when, state, after_player_id
    FROM achievement_grants
    WHERE ended_at IS NULL
    ORDER BY next_piece_at
    LIMIT 1
    FOR UPDATE SKIP LOCKED`);

/** Lists the next players who have earned the achievement, in the order of ids. */
export async function listEarners(
  tx: Queryable,
  { achievement_key, unlock_when: rule, after_player_id, game_id, environment }: OpenGrant,
  count: number,
): Promise<string[]> {
  const earning = { game_id, environment, achievement_key, rule };
  const rows = await tx.query<{ player_id: string }>(sql`
    SELECT player_id FROM ${earnersOf(earning)} AND player_id > ${after_player_id}
    ORDER BY player_id
    LIMIT ${count}`);
  return rows.map(({ player_id }) => player_id);
}

/**
 * Prevents the erasure of players until the transaction ends. @returns those who exist, because others may just
 * have been erased.
 */
export async function lockExisting(
  tx: Queryable,
  tenant: Tenant,
  player_ids: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ player_id: string }>(sql`
    SELECT player_id FROM players
    WHERE ${isOfTenant(tenant)} AND player_id = ANY(${player_ids}::text[])
    ORDER BY player_id
    FOR KEY SHARE`);
  return rows.map(({ player_id }) => player_id);
}

/** Notes the players who have got the achievement in this transaction. */
export async function noteGranted(
  tx: Queryable,
  { game_id, environment, achievement_key, id }: OpenGrant,
  player_ids: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO granted_players (game_id, environment, player_id, grant_id, unlocked_at)
    SELECT game_id, environment, player_id, ${id}::uuid, unlocked_at
    FROM achievement_unlocks
    WHERE ${isOfTenant({ game_id, environment })} AND achievement_key = ${achievement_key}
      AND player_id = ANY(${player_ids}::text[])
    ON CONFLICT DO NOTHING`);
}

/** Ends a piece. @param after The last player of it; null if it was the last piece. */
export async function finishPiece(
  tx: Queryable,
  { game_id, id, state }: OpenGrant,
  { after, added }: { after: string | null; added: number },
): Promise<void> {
  const is_last = after === null;
  const ended = state === 'running' ? 'done' : 'undone';
  await tx.execute(sql`
    UPDATE achievement_grants
    SET after_player_id = coalesce(${after}, after_player_id),
        granted_count = granted_count + ${added}::bigint, next_piece_at = now(),
        state = ${is_last ? ended : state}, ended_at = ${is_last ? sql`now()` : sql`NULL`}
    WHERE ${isGrant({ game_id, grant_id: id })}`);
}

/**
 * Takes the achievement from the next players who have got it by the grant. An unlock of another time is none of
 * the grant.
 * @returns the players of the grant that were looked at, and how many have lost the achievement.
 */
export async function takeBack(
  tx: Queryable,
  { game_id, environment, achievement_key, id }: OpenGrant,
  count: number,
): Promise<{ looked_at: number; taken: number }> {
  const page = await tx.query<{ player_id: string }>(sql`
    SELECT player_id FROM granted_players
    WHERE game_id = ${game_id} AND grant_id = ${id}
    ORDER BY player_id
    LIMIT ${count}
    FOR UPDATE`);
  const ids = page.map(({ player_id }) => player_id);
  const ofPage = sql`granted_players.game_id = ${game_id}
    AND granted_players.environment = ${environment} AND grant_id = ${id}
    AND granted_players.player_id = ANY(${ids}::text[])`;
  const taken = await tx.execute(sql`
    DELETE FROM achievement_unlocks AS had USING granted_players
    WHERE ${ofPage} AND had.game_id = ${game_id} AND had.environment = ${environment}
      AND had.player_id = granted_players.player_id AND had.achievement_key = ${achievement_key}
      AND had.unlocked_at = granted_players.unlocked_at`);
  await tx.execute(sql`DELETE FROM granted_players WHERE ${ofPage}`);
  return { looked_at: ids.length, taken };
}

/** Forgets grants that cannot be undone any more. */
export async function deleteOldGrants(group: Database): Promise<void> {
  const isOld = sql`ended_at < now() - ${GRANT_UNDO_DAYS}::integer * interval '1 day'`;
  await group.execute(sql`
    DELETE FROM granted_players AS granted USING achievement_grants AS old
    WHERE ${isOld} AND granted.game_id = old.game_id AND grant_id = old.id`);
  await group.execute(sql`DELETE FROM achievement_grants WHERE ${isOld}`);
}
