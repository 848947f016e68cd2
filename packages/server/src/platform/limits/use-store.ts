import type { LimitUses } from '@overworld/contract/limits';
import { LIMITED_RESOURCES } from '@overworld/contract/tiers';
import type { LimitedResource } from '@overworld/contract/tiers';
import type { Database, Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { notFound } from '../errors.ts';
import { limitOf } from './limits.ts';
import type { GameLimits } from './limits.ts';

/** The resources for which a player's write is refused if it would exceed the limit. */
export const GUARDED_RESOURCES = ['save_bytes', 'players', 'leaderboard_entries'] as const;
export type GuardedResource = (typeof GUARDED_RESOURCES)[number];

/** The resources that triggers count, because they have too many rows to be counted at each request. */
const COUNTED_RESOURCES = [...GUARDED_RESOURCES, 'ledger_rows'] as const;
type CountedResource = (typeof COUNTED_RESOURCES)[number];

export type CountedUses = Record<CountedResource, number>;

const sumsOf = (game_ids: readonly string[]) => sql`
  SELECT game_id, resource, sum(used)::bigint AS used
  FROM (
    SELECT game_id, resource, used FROM game_storage
    WHERE game_id = ANY(${[...game_ids]}::uuid[])
    UNION ALL
    SELECT game_id, resource, change FROM storage_changes
    WHERE game_id = ANY(${[...game_ids]}::uuid[])
  ) AS counted
  GROUP BY game_id, resource`;

/** Reads the limits and uses of games, all at the same moment. The result lacks deleted games. */
export async function listCountedUses(
  database: Queryable,
  game_ids: readonly string[],
): Promise<Map<string, GameLimits & { uses: CountedUses }>> {
  const rows = await database.query<
    GameLimits & { id: string; resource: CountedResource | null; used: number }
  >(sql`
    SELECT id, tier, limit_overrides, resource, used
    FROM games
    LEFT JOIN (${sumsOf(game_ids)}) AS sums ON sums.game_id = games.id
    WHERE id = ANY(${[...game_ids]}::uuid[])`);
  const games = new Map<string, GameLimits & { uses: CountedUses }>();
  for (const { id, resource, used, ...limits } of rows) {
    const uses = { save_bytes: 0, players: 0, leaderboard_entries: 0, ledger_rows: 0 };
    const game = games.get(id) ?? { ...limits, uses };
    if (resource !== null) game.uses[resource] = used;
    games.set(id, game);
  }
  return games;
}

/** Reads all uses and limits of a game. @throws ApiError 404 when the game is gone. */
export async function getLimitUses(database: Queryable, game_id: string): Promise<LimitUses> {
  const counted = (await listCountedUses(database, [game_id])).get(game_id);
  if (counted === undefined) throw notFound('Game not found');
  const others = await database.queryOne<Record<Exclude<LimitedResource, CountedResource>, number>>(
    sql`
      SELECT (SELECT count(*) FROM leaderboards WHERE game_id = ${game_id}) AS leaderboards,
             (SELECT count(*) FROM achievements WHERE game_id = ${game_id}) AS achievements,
             (SELECT count(*) FROM stats WHERE game_id = ${game_id}) AS stats,
             (SELECT count(*) FROM event_schemas WHERE game_id = ${game_id}) AS event_schemas,
             (SELECT count(*) FROM game_members WHERE game_id = ${game_id}) AS members,
             (SELECT count(*) FROM alerts WHERE game_id = ${game_id}) AS alerts,
             (SELECT count(*) FROM webhooks WHERE game_id = ${game_id}) AS webhooks,
             (SELECT count(*) FROM webhook_deliveries WHERE game_id = ${game_id})
               AS webhook_deliveries,
             (SELECT count(*) FROM messages WHERE game_id = ${game_id} AND NOT is_earned) AS messages,
             ${selectInvitationCount(game_id)} AS daily_invitations`,
  );
  const uses = { ...counted.uses, ...others! };
  const entries = LIMITED_RESOURCES.map((resource) => [
    resource,
    { used: uses[resource], limit: limitOf(counted, resource) },
  ]);
  return Object.fromEntries(entries) as LimitUses;
}

/** SQL for the number of invitations that a game has sent in the last 24 hours. */
export const selectInvitationCount = (game_id: string) => sql`(
  SELECT count(*) FROM audit_log
  WHERE game_id = ${game_id} AND action = 'invite_member' AND at > now() - interval '24 hours')`;

/**
 * The maximum number of changes that one transaction adds up. A busy server makes as many in a few seconds.
 */
const MAX_FOLDED = 20_000;

/**
 * Adds the changes that triggers have recorded to the sums of their games. Several servers may do this at
 * the same time. Changes of deleted games are dropped.
 */
export async function foldStorageChanges(database: Database): Promise<void> {
  // This query takes far less time than the statement below, and most groups have nothing to add.
  if ((await database.queryOne(sql`SELECT FROM storage_changes LIMIT 1`)) === null) return;
  let taken: number;
  do {
    const row = await database.queryOne<{ taken: number }>(sql`
      WITH taken AS (
        DELETE FROM storage_changes
        WHERE ctid = ANY (ARRAY(SELECT ctid FROM storage_changes LIMIT ${MAX_FOLDED}
                                FOR UPDATE SKIP LOCKED))
        RETURNING game_id, resource, change
      ), added AS (
        INSERT INTO game_storage AS stored (game_id, resource, used)
        SELECT game_id, resource, sum(change)
        FROM taken
        WHERE game_id IN (SELECT id FROM games)
        GROUP BY game_id, resource
        ORDER BY game_id, resource
        ON CONFLICT (game_id, resource) DO UPDATE SET used = stored.used + EXCLUDED.used
      )
      SELECT count(*) AS taken FROM taken`);
    taken = row!.taken;
  } while (taken === MAX_FOLDED);
}
