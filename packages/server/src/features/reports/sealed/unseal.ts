import type { Queryable } from '../../../platform/database/database.ts';
import { lockOfGroup } from '../../../platform/database/group-lock.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { LATE_HOURS } from '../../../platform/ingest-lock.ts';
import { isOfPlayer } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';

/**
 * The number of an advisory lock of each group. Transactions that change events of past days share it. While one
 * of them holds it, no day begins to be sealed.
 */
export const SEAL_LOCK = sql`7301998`;

/** Keeps days from being sealed until the transaction ends, if they have not begun to be. */
const lockSeals = (tx: Queryable): Promise<number> =>
  tx.execute(sql`SELECT pg_advisory_xact_lock_shared(${lockOfGroup(SEAL_LOCK)})`);

interface DayKey {
  game_id: string;
  environment: string;
  day: string;
}

/** Deletes the sealed form of days. A server that is sealing one of them finds that it is gone. */
async function deleteDays(tx: Queryable, days: readonly DayKey[]): Promise<void> {
  if (days.length === 0) return;
  const isListed = sql`(game_id, environment, day) IN (
    SELECT * FROM unnest(${days.map(({ game_id }) => game_id)}::uuid[],
                         ${days.map(({ environment }) => environment)}::environment[],
                         ${days.map(({ day }) => day)}::date[]))`;
  // The rows of days come first: a server that stores columns locks the row of the day.
  await tx.execute(sql`DELETE FROM sealed_days WHERE ${isListed}`);
  await tx.execute(sql`DELETE FROM sealed_events WHERE ${isListed}`);
}

const listDays = (tx: Queryable, from: Sql): Promise<DayKey[]> =>
  tx.query<DayKey>(sql`
    SELECT DISTINCT game_id, environment, (received_at AT TIME ZONE 'UTC')::date AS day
    FROM ${from}
    ORDER BY 1, 2, 3`);

/**
 * A step of ingest for batches with events that were received long ago, such as those of a paused game. Days
 * whose events they are are read from rows until they are sealed again.
 */
export async function unsealLateDays(tx: Queryable): Promise<void> {
  await lockSeals(tx);
  const isLate = sql`received_at < now() - ${LATE_HOURS}::integer * interval '1 hour'`;
  await deleteDays(tx, await listDays(tx, sql`ingested_events WHERE ${isLate}`));
}

/** Deletes the sealed form of days whose events the transaction erases. @param from A table with these events. */
export async function unsealDaysOf(tx: Queryable, from: Sql): Promise<void> {
  await lockSeals(tx);
  await deleteDays(tx, await listDays(tx, from));
}

/** Deletes the sealed form of all days on which the player has events. Call it before these are deleted. */
export const unsealDaysOfPlayer = (tx: Queryable, player: PlayerKey): Promise<void> =>
  unsealDaysOf(tx, sql`events WHERE ${isOfPlayer(player)}`);

/** Deletes the sealed form of all days of a game, which are then sealed again. */
export async function unsealGame(tx: Queryable, game_id: string): Promise<void> {
  await lockSeals(tx);
  await tx.execute(sql`DELETE FROM sealed_days WHERE game_id = ${game_id}`);
  await tx.execute(sql`DELETE FROM sealed_events WHERE game_id = ${game_id}`);
}

/**
 * Deletes the sealed form of days whose events are dropped, and of days that are not over yet, which are there
 * only if a clock was set back.
 * @param retention_days 0 if events are kept for ever.
 */
export async function forgetDays(tx: Queryable, retention_days: number): Promise<void> {
  await lockSeals(tx);
  const isExpired =
    retention_days === 0
      ? sql`false`
      : sql`day < date_trunc('month', now() - make_interval(days => ${retention_days}::integer))::date`;
  const days = await tx.query<DayKey>(sql`
    SELECT game_id, environment, day FROM sealed_days
    WHERE ${isExpired} OR day > ${LAST_SEALED_DAY}
    ORDER BY 1, 2, 3`);
  await deleteDays(tx, days);
}

/** SQL for the last day that may be sealed: it has been over for at least a day. */
export const LAST_SEALED_DAY = sql`((now() AT TIME ZONE 'UTC')::date - 2)`;

/** A merge gives the numbers of the player who ends to the other one, so all sealed events follow. */
export async function mergeNumbers(
  tx: Queryable,
  player: PlayerKey,
  from: PlayerKey,
): Promise<void> {
  const known = await tx.queryOne(sql`
    SELECT number FROM sealed_players WHERE ${isOfPlayer(from)} LIMIT 1`);
  if (known === null) return;
  const { game_id, environment } = from;
  const tenant = await tx.queryOne<{ merge_count: number }>(sql`
    UPDATE sealed_tenants SET merge_count = merge_count + 1
    WHERE game_id = ${game_id} AND environment = ${environment}
    RETURNING merge_count`);
  await tx.execute(sql`
    UPDATE sealed_players
    SET player_id = ${player.player_id}, merge_number = ${tenant!.merge_count}::bigint
    WHERE ${isOfPlayer(from)}`);
}
