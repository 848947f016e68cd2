import { MAX_ANNOTATION_LENGTH } from '@overworld/contract/analytics/annotation-limits';
import type { Environment } from '@overworld/contract/common';
import type { Queryable } from '../../platform/database/database.ts';
import { selectCount } from '../../platform/database/select-count.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { DateRange } from '../../platform/reports/date-range.ts';

export interface Note {
  id: string;
  day: string;
  at: string | null;
  text: string;
  author_id: string | null;
  created_by: string | null;
}

export interface NoteKey {
  game_id: string;
  annotation_id: string;
}

interface Tenant {
  game_id: string;
  environment: Environment;
}

/** The time of a note: a day in the time zone of the game, or a moment. */
export type NoteTime = { day: string; at: null } | { day: null; at: string };

/** An entry of the audit log that charts show. */
export interface LoggedMoment {
  id: number;
  day: string;
  at: string;
  action:
    | 'put_config'
    | 'roll_back_config'
    | 'start_config_schedule'
    | 'end_config_schedule'
    | 'rotate_api_key';
  /** Name of the API key. */
  name: string | null;
  version: string | null;
  restored_version: string | null;
  /** The keys of the added parameters as one text, which is cut to the maximum length of an annotation. */
  added: string;
  changed: string;
  removed: string;
  created_by: string | null;
}

const columns = sql`id, day, at, text, author_id, author_email AS created_by`;
/** SQL for the day of a note in the game's time zone. */
const dayOf = ({ day, at }: NoteTime) =>
  sql`COALESCE(${day}::date, (${at}::timestamptz AT TIME ZONE games.time_zone)::date)`;

/** Lists the latest notes of the days. */
export const listNotes = (
  database: Queryable,
  { game_id, environment }: Tenant,
  { from, to }: Pick<DateRange, 'from' | 'to'>,
  limit: number,
): Promise<Note[]> =>
  database.query(sql`
    SELECT ${columns} FROM annotations
    WHERE game_id = ${game_id} AND environment = ${environment} AND day BETWEEN ${from} AND ${to}
    ORDER BY day DESC, at DESC NULLS LAST, id
    LIMIT ${limit}`);

/**
 * SQL for one text with the keys of a list. The text is cut, because a thousand long keys would be half a
 * megabyte.
 */
const keysOf = (list: Sql) => sql`
  left(array_to_string(ARRAY(SELECT jsonb_array_elements_text(
    CASE WHEN jsonb_typeof(${list}) = 'array' THEN ${list} END)), ', '), ${MAX_ANNOTATION_LENGTH})`;

/**
 * Lists the latest entries of the audit log that charts show. If you change the list of actions here, change
 * it also in the index for this statement.
 */
export const listMoments = (
  database: Queryable,
  { game_id, environment }: Tenant,
  { starts_at, ends_at, time_zone }: DateRange,
  limit: number,
): Promise<LoggedMoment[]> =>
  database.query(sql`
    SELECT id, at, (at AT TIME ZONE ${time_zone})::date AS day, action, name, version,
           restored_version, ${keysOf(sql`lists.added`)} AS added,
           ${keysOf(sql`lists.changed`)} AS changed, ${keysOf(sql`lists.removed`)} AS removed,
           account_email AS created_by
    FROM audit_log
    CROSS JOIN LATERAL jsonb_to_record(details) AS lists
      (name text, version text, restored_version text, added jsonb, changed jsonb, removed jsonb)
    WHERE game_id = ${game_id} AND at >= ${starts_at} AND at < ${ends_at}
      AND action IN ('put_config', 'roll_back_config', 'start_config_schedule',
        'end_config_schedule', 'rotate_api_key')
      AND ${environment}::text
        = CASE action WHEN 'rotate_api_key' THEN details ->> 'environment' ELSE target END
    ORDER BY at DESC
    LIMIT ${limit}`);

export const countNotes = (database: Queryable, game_id: string): Promise<number> =>
  selectCount(database, sql`annotations WHERE game_id = ${game_id}`);

/** Finds a note, and locks it until the transaction ends. */
export const findNote = (
  tx: Queryable,
  { game_id, annotation_id }: NoteKey,
): Promise<Note | null> =>
  tx.queryOne(sql`
    SELECT ${columns} FROM annotations
    WHERE game_id = ${game_id} AND id = ${annotation_id} FOR UPDATE`);

export async function insertNote(
  tx: Queryable,
  { game_id, environment }: Tenant,
  time: NoteTime,
  fields: { text: string; author_id: string | null; author_email: string | null },
): Promise<Note> {
  const { text, author_id, author_email } = fields;
  const row = await tx.queryOne<Note>(sql`
    INSERT INTO annotations (game_id, environment, day, at, text, author_id, author_email)
    SELECT ${game_id}, ${environment}, ${dayOf(time)}, ${time.at}, ${text}, ${author_id}, ${author_email}
    FROM games WHERE id = ${game_id}
    RETURNING ${columns}`);
  return row!;
}

export async function updateNote(
  tx: Queryable,
  { game_id, annotation_id }: NoteKey,
  time: NoteTime,
  text: string,
): Promise<Note> {
  const row = await tx.queryOne<Note>(sql`
    UPDATE annotations SET day = ${dayOf(time)}, at = ${time.at}, text = ${text}
    FROM games
    WHERE game_id = ${game_id} AND annotations.id = ${annotation_id} AND games.id = ${game_id}
    RETURNING annotations.id, day, at, text, author_id, author_email AS created_by`);
  return row!;
}

export async function deleteNote(
  tx: Queryable,
  { game_id, annotation_id }: NoteKey,
): Promise<void> {
  await tx.execute(
    sql`DELETE FROM annotations WHERE game_id = ${game_id} AND id = ${annotation_id}`,
  );
}
