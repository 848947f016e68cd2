import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../../platform/database/database.ts';
import { lockOfGroup } from '../../../platform/database/group-lock.ts';
import { sql } from '../../../platform/database/sql.ts';
import { keepGame } from '../../../platform/game-lock.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import type { StoredColumn } from './codec/part.ts';
import { SEAL_LOCK } from './unseal.ts';

/** A day of an environment. */
export interface TenantDay extends Tenant {
  /** UTC, such as `2026-11-30`. */
  day: string;
}

/** The name of a part, to which its bytes are bound. */
export const namePart = (
  { game_id, environment, day }: TenantDay,
  version: string,
  { event_name, part }: { event_name: string; part: number },
): string => [version, game_id, environment, day, part, event_name].join('\n');

/** The name of the sessions of a day, to which their bytes are bound. */
export const nameSessions = ({ game_id, environment, day }: TenantDay, version: string): string =>
  [version, game_id, environment, day, 'sessions'].join('\n');

export const isOfDay = (of: TenantDay) => sql`${isOfTenant(of)} AND day = ${of.day}::date`;

/**
 * Begins to seal a day, and forgets an earlier try. From the commit on, every change of the day's events deletes
 * the row that this function inserts.
 * @returns the version of the day; null while another transaction changes events of past days, or if the game is
 * gone.
 */
export async function beginDay(tx: Queryable, of: TenantDay): Promise<string | null> {
  if (!(await keepGame(tx, of.game_id))) return null;
  const lock = await tx.queryOne<{ is_free: boolean }>(sql`
    SELECT pg_try_advisory_xact_lock(${lockOfGroup(SEAL_LOCK)}) AS is_free`);
  if (!lock!.is_free) return null;
  const version = randomUUID();
  await tx.execute(sql`DELETE FROM sealed_days WHERE ${isOfDay(of)}`);
  await tx.execute(sql`DELETE FROM sealed_events WHERE ${isOfDay(of)}`);
  await tx.execute(sql`
    INSERT INTO sealed_days (game_id, environment, day, version)
    VALUES (${of.game_id}, ${of.environment}, ${of.day}::date, ${version})`);
  return version;
}

/** Locks the day until the transaction ends. @returns false if its events have changed since `beginDay`. */
export async function lockDay(tx: Queryable, of: TenantDay, version: string): Promise<boolean> {
  const row = await tx.queryOne(sql`
    SELECT day FROM sealed_days
    WHERE ${isOfDay(of)} AND version = ${version}::uuid AND sealed_at IS NULL
    FOR UPDATE`);
  return row !== null;
}

/** A part of a day, as it is stored. */
export interface StoredPart {
  event_name: string;
  part: number;
  event_count: number;
  columns: readonly StoredColumn[];
}

/** @returns false if the events of the day have changed since `beginDay`. Then nothing is stored. */
export async function storeParts(
  tx: Queryable,
  of: TenantDay,
  version: string,
  parts: readonly StoredPart[],
): Promise<boolean> {
  if (!(await lockDay(tx, of, version))) return false;
  const rows = parts.flatMap(({ columns, ...part }) =>
    columns.map((column) => ({ ...part, ...column })),
  );
  let end = 1;
  const begins = rows.map(({ data }) => (end += data.length) - data.length);
  // One value has all bytes, because the driver writes those of a list as text.
  await tx.execute(sql`
    INSERT INTO sealed_events
      (game_id, environment, day, event_name, part, column_name, event_count, data)
    SELECT ${of.game_id}::uuid, ${of.environment}::environment, ${of.day}::date, event_name, part,
           column_name, event_count,
           substr(${Buffer.concat(rows.map(({ data }) => data))}::bytea, begin, length)
    FROM unnest(${rows.map(({ event_name }) => event_name)}::text[],
                ${rows.map(({ part }) => part)}::integer[],
                ${rows.map(({ column_name }) => column_name)}::text[],
                ${rows.map(({ event_count }) => event_count)}::integer[],
                ${begins}::integer[],
                ${rows.map(({ data }) => data.length)}::integer[])
      AS stored (event_name, part, column_name, event_count, begin, length)`);
  return true;
}

/**
 * Ends the sealing of a day. From the commit on, readers use it.
 * @param sealed Null if the day was not sealed, so that it is not tried again before its events change.
 * @returns false if the events of the day have changed since `beginDay`.
 */
export async function finishDay(
  tx: Queryable,
  of: TenantDay,
  version: string,
  sealed: { event_count: number; sessions: Buffer } | null,
): Promise<boolean> {
  if (!(await lockDay(tx, of, version))) return false;
  if (sealed === null) await tx.execute(sql`DELETE FROM sealed_events WHERE ${isOfDay(of)}`);
  await tx.execute(sql`
    UPDATE sealed_days
    SET sealed_at = clock.moment, event_count = ${sealed?.event_count}::bigint,
        sessions = ${sealed?.sessions ?? null}::bytea
    FROM (SELECT now() AS moment) AS clock
    WHERE ${isOfDay(of)}`);
  return true;
}
