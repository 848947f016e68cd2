import { randomBytes } from 'node:crypto';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tenant } from '../../platform/players/player-key.ts';

/** A file is planned to have at most so many events, in so many batches, with so many bytes of properties. */
const MAX_EVENTS = 100_000;
const MAX_BATCHES = 5_000;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * A file, decided before it is written. Whoever writes it writes the same events under the same name, so a
 * repeat after a crash replaces the file.
 */
export interface FilePlan {
  name: string;
  /** The events of the history that the file has: those after the first place, to the second one. */
  history: { after: Place; to: Place } | null;
}

/** A place in the order of receipt. The time is a text as PostgreSQL writes it. */
export interface Place {
  received_at: string;
  id: number;
}

interface ExportRow {
  file_name: string | null;
  file_ends_at: string | null;
  file_ends_id: number | null;
  history_at: string;
  history_id: number;
  history_ends_at: string | null;
  is_history_done: boolean;
}

/** Selects the rows of one environment. */
export const isOfTenant = ({ game_id, environment }: Tenant) =>
  sql`game_id = ${game_id}::uuid AND environment = ${environment}::environment`;

/**
 * Gets the file that is to be written next. The history comes first, because as long as it is not in files,
 * the batches tell which events are no part of it.
 * @param until Batches that were stored later wait for the next run.
 * @returns null if there is nothing to export.
 */
export async function planFile(
  tx: Queryable,
  tenant: Tenant,
  until: string,
): Promise<FilePlan | null> {
  const row = await tx.queryOne<ExportRow>(sql`
    SELECT file_name, file_ends_at::text, file_ends_id, history_at::text, history_id,
           history_ends_at::text, is_history_done
    FROM event_exports WHERE ${isOfTenant(tenant)} FOR UPDATE`);
  if (row === null) return null;
  if (row.file_name !== null) return { name: row.file_name, history: historyOf(row) };
  if (!row.is_history_done) {
    const plan = await planHistory(tx, tenant, row);
    if (plan !== null) return plan;
  }
  const day = await chooseBatches(tx, tenant, until);
  if (day === null) return null;
  return { name: await startFile(tx, tenant, day, null), history: null };
}

function historyOf({ history_at, history_id, file_ends_at, file_ends_id }: ExportRow) {
  if (file_ends_at === null) return null;
  return {
    after: { received_at: history_at, id: history_id },
    to: { received_at: file_ends_at, id: file_ends_id! },
  };
}

/** @returns null at the end of the history, which is noted. */
async function planHistory(
  tx: Queryable,
  tenant: Tenant,
  { history_at, history_id, history_ends_at }: ExportRow,
): Promise<FilePlan | null> {
  // Any time from the beginning of the export on would do: no event of the history is stored since.
  const ends_at = history_ends_at ?? (await findLastTime(tx, tenant));
  const after = { received_at: history_at, id: history_id };
  const to = ends_at === null ? null : await findEnd(tx, tenant, after, ends_at);
  if (to === null) {
    await tx.execute(sql`
      UPDATE event_exports SET is_history_done = true WHERE ${isOfTenant(tenant)}`);
    return null;
  }
  await tx.execute(sql`
    UPDATE event_exports SET history_ends_at = ${ends_at}::timestamptz WHERE ${isOfTenant(tenant)}`);
  const { day, ...place } = to;
  return { name: await startFile(tx, tenant, day, place), history: { after, to: place } };
}

async function findLastTime(tx: Queryable, tenant: Tenant): Promise<string | null> {
  const row = await tx.queryOne<{ at: string | null }>(sql`
    SELECT max(received_at)::text AS at FROM events WHERE ${isOfTenant(tenant)}`);
  return row!.at;
}

/** Finds the last event of the next file of the history. All its events are of one day. */
const findEnd = (
  tx: Queryable,
  tenant: Tenant,
  after: Place,
  ends_at: string,
): Promise<(Place & { day: string }) | null> =>
  tx.queryOne(sql`
    WITH part AS MATERIALIZED (
      SELECT received_at, id FROM events
      WHERE ${isOfTenant(tenant)}
        AND (received_at, id) > (${after.received_at}::timestamptz, ${after.id}::bigint)
        AND received_at >= ${after.received_at}::timestamptz
        AND received_at <= ${ends_at}::timestamptz
      ORDER BY events.received_at, events.id
      LIMIT ${MAX_EVENTS}
    )
    SELECT received_at::text, id, (received_at AT TIME ZONE 'UTC')::date::text AS day
    FROM part
    WHERE (received_at AT TIME ZONE 'UTC')::date
          = (SELECT (min(received_at) AT TIME ZONE 'UTC')::date FROM part)
    ORDER BY part.received_at DESC, id DESC
    LIMIT 1`);

/** Chooses the oldest batches, all of one day. @returns the day; null if there are none. */
async function chooseBatches(tx: Queryable, tenant: Tenant, until: string): Promise<string | null> {
  const last = await tx.queryOne<{ day: string; first_received_at: string; batch_id: string }>(sql`
    WITH batch AS MATERIALIZED (
      SELECT first_received_at, batch_id, day, event_count, bytes FROM event_export_batches
      WHERE ${isOfTenant(tenant)} AND stored_at < ${until}::timestamptz
      ORDER BY event_export_batches.first_received_at, batch_id
      LIMIT ${MAX_BATCHES}
    ), measured AS (
      SELECT first_received_at, batch_id, day, min(day) OVER () AS first_day,
             sum(event_count) OVER earlier - event_count AS earlier_events,
             sum(bytes) OVER earlier - bytes AS earlier_bytes
      FROM batch
      WINDOW earlier AS (ORDER BY first_received_at, batch_id)
    )
    SELECT day::text, first_received_at::text, batch_id FROM measured
    WHERE day = first_day AND earlier_events < ${MAX_EVENTS} AND earlier_bytes < ${MAX_BYTES}
    ORDER BY measured.first_received_at DESC, batch_id DESC
    LIMIT 1`);
  if (last === null) return null;
  await tx.execute(sql`
    UPDATE event_export_batches SET is_planned = true
    WHERE ${isOfTenant(tenant)} AND day = ${last.day}::date AND stored_at < ${until}::timestamptz
      AND (first_received_at, batch_id)
          <= (${last.first_received_at}::timestamptz, ${last.batch_id}::uuid)`);
  return last.day;
}

/**
 * Names the file that comes next. No two files have the same name, even if the database was set back to an
 * earlier state since, so no file of other events is ever replaced.
 */
async function startFile(
  tx: Queryable,
  tenant: Tenant,
  day: string,
  ends: Place | null,
): Promise<string> {
  const token = randomBytes(4).toString('hex');
  const { game_id, environment } = tenant;
  const folder = `game=${game_id}/environment=${environment}/day=${day}`;
  const row = await tx.queryOne<{ file_name: string }>(sql`
    UPDATE event_exports
    SET file_count = file_count + 1, file_ends_at = ${ends?.received_at ?? null}::timestamptz,
        file_ends_id = ${ends?.id ?? null}::bigint,
        file_name = ${folder}::text || '/events-' || lpad((file_count + 1)::text, 8, '0')
                    || '-' || ${token}::text || '.parquet'
    WHERE ${isOfTenant(tenant)}
    RETURNING file_name`);
  return row!.file_name;
}

/** Tells whether the file is still to be written. */
export const isPlanned = async (
  database: Queryable,
  tenant: Tenant,
  { name }: FilePlan,
): Promise<boolean> =>
  (await database.execute(sql`
    SELECT FROM event_exports WHERE ${isOfTenant(tenant)} AND file_name = ${name}`)) > 0;

/** Records that the events of a file are in it for good, unless another server has recorded that. */
export async function finishFile(
  tx: Queryable,
  tenant: Tenant,
  { name, history }: FilePlan,
): Promise<void> {
  const place = history?.to ?? null;
  const finished = await tx.execute(sql`
    UPDATE event_exports
    SET file_name = NULL, file_ends_at = NULL, file_ends_id = NULL, last_file_at = now(),
        history_at = COALESCE(${place?.received_at ?? null}::timestamptz, history_at),
        history_id = COALESCE(${place?.id ?? null}::bigint, history_id)
    WHERE ${isOfTenant(tenant)} AND file_name = ${name}`);
  if (finished === 0 || history !== null) return;
  await tx.execute(sql`
    DELETE FROM event_export_batches WHERE ${isOfTenant(tenant)} AND is_planned`);
}
