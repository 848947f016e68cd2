import type { Aggregation } from '@overworld/contract/stats/stat-limits';
import { STAT_DECIMALS } from '@overworld/contract/stats/stat-limits';
import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { retryCollisions } from '../../platform/database/retry-deadlocks.ts';
import { names, sql } from '../../platform/database/sql.ts';
import { badRequest, conflict } from '../../platform/errors.ts';
import { shorten } from '../../platform/json/json-text.ts';
import { lockPlayer, requirePlayer } from '../../platform/players/player-lock.ts';
import { isOfPlayer } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import type { StatWatcher } from '../../platform/players/stat-watcher.ts';
import { storeOne } from './changes/change-stats.ts';
import { hasFewDecimals, millionthsOf, readDecimal } from './changes/decimals.ts';
import { findStat } from './definition-store.ts';
import type { StatFields } from './definition-store.ts';
import { statNotFound } from './definitions.ts';
import { findStatOfPlayer } from './stat-store.ts';
import type { StatOfPlayer } from './stat-store.ts';

/**
 * Sets the value of a statistic of a player on behalf of a member of the game's team.
 * @throws ApiError 404 when there is no such player or statistic, 409 when the statistic is archived, 400 when
 * the value is outside its bounds.
 */
export function setStat(
  database: Database,
  watcher: StatWatcher | null,
  player: PlayerKey,
  key: string,
  { value, reason }: { value: number; reason: string },
  actor: Actor,
): Promise<StatOfPlayer> {
  const { game_id, environment, player_id } = player;
  if (!hasFewDecimals(value)) throw badRequest(`value must have at most ${STAT_DECIMALS} decimals`);
  return retryCollisions(() =>
    database.transaction(async (tx) => {
      await requirePlayer(tx, player);
      const stat = await findStat(tx, game_id, key);
      if (stat === null) throw statNotFound();
      if (stat.archived) {
        throw conflict('The statistic is archived: restore it before you set a value');
      }
      if (stat.source !== null) throw conflict('The statistic is moved by events alone');
      requireInBounds(stat, value);
      const { aggregation } = stat;
      const before = await lockValue(tx, player, key);
      if (before !== null) await forgetBetter(tx, player, key, aggregation, value);
      const sent = millionthsOf(value);
      // The difference of two doubles would not be exact.
      const had = before === null ? 0n : readDecimal(before);
      const change = aggregation === 'sum' ? sent - had : sent;
      await storeOne(tx, watcher, {
        player,
        sent: null,
        fieldOf: () => 'value',
        changes: [{ key, aggregation, value: change }],
      });
      // The player is locked last, because an erasure also locks the player after the player's data.
      await lockPlayer(tx, player);
      await insertAuditEntry(tx, { actor, game_id }, 'set_player_stat', key, {
        environment,
        player_id,
        reason,
      });
      const { base: _, ...set } = (await findStatOfPlayer(tx, player, key))!;
      return set;
    }),
  );
}

/** A value that is outside of bounds may be changed towards them, but a member sets a value inside them. */
function requireInBounds({ key, minimum, maximum }: StatFields & { key: string }, value: number) {
  const refuse = (bound: string) =>
    badRequest(`value: ${shorten(key)} must be ${bound}, and would be ${value}`);
  if (maximum !== null && value > maximum) throw refuse(`at most ${maximum}`);
  if (minimum !== null && value < minimum) throw refuse(`at least ${minimum}`);
}

/** Locks the value of a player. @returns the value as PostgreSQL writes it; null if there is none. */
async function lockValue(tx: Queryable, player: PlayerKey, key: string): Promise<string | null> {
  const row = await tx.queryOne<{ value: string }>(sql`
    SELECT value FROM player_stats WHERE ${isOfPlayer(player)} AND key = ${key}
    FOR NO KEY UPDATE`);
  return row?.value ?? null;
}

/** Replaces the values of a `max` or a `min` that are better than the one that is set, in all hours. */
async function forgetBetter(
  tx: Queryable,
  player: PlayerKey,
  key: string,
  aggregation: Aggregation,
  value: number,
): Promise<void> {
  if (aggregation !== 'max' && aggregation !== 'min') return;
  const worse = names([aggregation === 'max' ? 'LEAST' : 'GREATEST']);
  const of_stat = sql`${isOfPlayer(player)} AND key = ${key}`;
  // Both functions leave nulls out, but a base that is null must stay so.
  await tx.execute(sql`
    UPDATE player_stats
    SET value = ${worse}(value, ${value}::numeric),
        base = CASE WHEN base IS NULL THEN NULL ELSE ${worse}(base, ${value}::numeric) END
    WHERE ${of_stat}`);
  await tx.execute(sql`
    UPDATE player_stat_hours SET value = ${worse}(value, ${value}::numeric) WHERE ${of_stat}`);
}
