import type { Queryable } from '../../../platform/database/database.ts';
import { selectCount } from '../../../platform/database/select-count.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';

/** When a schedule sends its messages. */
export interface Timing {
  /** In the time zone of the game. */
  hour: number;
  /** 1 is Monday. */
  weekdays: number[];
  lasts_hours: number;
  paused: boolean;
}

export interface ScheduleKey extends Tenant {
  schedule_id: string;
}

export interface StoredSchedule extends Timing {
  schedule_id: string;
  /** JSON text: the members of a message that do not depend on its time. */
  content: string;
  /** Null while it is paused. */
  next_at: string | null;
  last_sent_at: string | null;
  problem: string | null;
  author_id: string | null;
  author: string | null;
  updated_at: string;
}

/** SQL for the moment at which a schedule is due next, for a row joined with its game. */
const dueAt = sql`((next_day + make_interval(hours => hour)) AT TIME ZONE time_zone)`;

const isOfSchedule = (key: ScheduleKey) =>
  sql`${isOfTenant(key)} AND schedule_id = ${key.schedule_id}`;

const scheduleColumns = sql`schedule_id, content::text AS content, hour, weekdays, lasts_hours, paused,
  CASE WHEN NOT paused THEN ${dueAt} END AS next_at, last_sent_at, problem, author_id, author, updated_at`;

export const listSchedules = (database: Queryable, tenant: Tenant): Promise<StoredSchedule[]> =>
  database.query(sql`
    SELECT ${scheduleColumns} FROM message_schedules JOIN games ON id = game_id
    WHERE ${isOfTenant(tenant)}
    ORDER BY message_schedules.created_at DESC, schedule_id`);

export const findSchedule = (
  database: Queryable,
  key: ScheduleKey,
): Promise<StoredSchedule | null> =>
  database.queryOne(sql`
    SELECT ${scheduleColumns} FROM message_schedules JOIN games ON id = game_id
    WHERE ${isOfSchedule(key)}`);

export const countSchedules = (tx: Queryable, tenant: Tenant): Promise<number> =>
  selectCount(tx, sql`message_schedules WHERE ${isOfTenant(tenant)}`);

/** Finds the first day on which messages of these days and this hour are still to come. */
export async function findNextDay(
  tx: Queryable,
  game_id: string,
  { hour, weekdays }: Pick<Timing, 'hour' | 'weekdays'>,
): Promise<string> {
  const row = await tx.queryOne<{ day: string }>(sql`
    SELECT min(day)::date::text AS day
    FROM games
    CROSS JOIN LATERAL (SELECT (now() AT TIME ZONE time_zone)::date AS today) AS clock
    CROSS JOIN LATERAL generate_series(today::timestamp, today + 8, '1 day') AS day
    WHERE id = ${game_id} AND extract(isodow FROM day) = ANY(${weekdays}::integer[])
      AND (day + make_interval(hours => ${hour}::integer)) AT TIME ZONE time_zone > now()`);
  return row!.day;
}

interface NewSchedule extends ScheduleKey, Timing {
  content: string;
  next_day: string;
  author_id: string | null;
  author: string | null;
}

export const insertSchedule = (tx: Queryable, schedule: NewSchedule): Promise<number> =>
  tx.execute(sql`
    INSERT INTO message_schedules
      (game_id, environment, schedule_id, content, hour, weekdays, lasts_hours, paused, next_day,
       author_id, author, created_at, updated_at)
    VALUES (${schedule.game_id}, ${schedule.environment}, ${schedule.schedule_id}, ${schedule.content},
            ${schedule.hour}, ${schedule.weekdays}, ${schedule.lasts_hours}, ${schedule.paused},
            ${schedule.next_day}, ${schedule.author_id}, ${schedule.author}, now(), now())`);

/** @param next_day Null: it stays. */
export const updateSchedule = (
  tx: Queryable,
  key: ScheduleKey,
  { content, hour, weekdays, lasts_hours, paused }: Timing & { content: string },
  next_day: string | null,
): Promise<number> =>
  tx.execute(sql`
    UPDATE message_schedules
    SET content = ${content}, hour = ${hour}, weekdays = ${weekdays}, lasts_hours = ${lasts_hours},
        paused = ${paused}, next_day = coalesce(${next_day}::date, next_day), updated_at = now()
    WHERE ${isOfSchedule(key)}`);

export const deleteSchedule = (tx: Queryable, key: ScheduleKey): Promise<number> =>
  tx.execute(sql`DELETE FROM message_schedules WHERE ${isOfSchedule(key)}`);

/** Lists the schedules of a group whose next message is due. */
export const listDue = (group: Queryable): Promise<ScheduleKey[]> =>
  // The day in the zone of a game is at most one day ahead.
  group.query(sql`
    SELECT game_id, environment, schedule_id FROM message_schedules JOIN games ON id = game_id
    WHERE NOT paused AND next_day <= (now() AT TIME ZONE 'UTC')::date + 1 AND ${dueAt} <= now()
    ORDER BY next_day, schedule_id`);

/** A schedule whose message is due. */
export interface DueSchedule {
  content: string;
  author_id: string | null;
  author: string | null;
  /** The last of the days that have come, and the times of its message. */
  day: string;
  starts_at: string;
  ends_at: string;
  has_ended: boolean;
}

/** Locks a schedule. @returns null if it is not due, because another server has just sent its message. */
export async function lockDue(tx: Queryable, key: ScheduleKey): Promise<DueSchedule | null> {
  const locked = await tx.execute(sql`
    SELECT FROM message_schedules WHERE ${isOfSchedule(key)} FOR UPDATE`);
  if (locked === 0) return null;
  return tx.queryOne<DueSchedule>(sql`
    SELECT content::text AS content, author_id, author, day::date::text AS day, starts_at, ends_at,
           ends_at <= now() AS has_ended
    FROM message_schedules
    JOIN games ON id = game_id
    CROSS JOIN LATERAL generate_series(
      next_day::timestamp, (now() AT TIME ZONE time_zone)::date, '1 day') AS day
    CROSS JOIN LATERAL (
      SELECT (day + make_interval(hours => hour)) AT TIME ZONE time_zone AS starts_at
    ) AS starting
    CROSS JOIN LATERAL (SELECT starts_at + make_interval(hours => lasts_hours) AS ends_at) AS ending
    WHERE ${isOfSchedule(key)} AND NOT paused AND starts_at <= now()
      AND extract(isodow FROM day) = ANY(weekdays)
    ORDER BY day DESC
    LIMIT 1`);
}

/** Notes that the message of a day was sent, or why it was not, and sets the next day. */
export const finishDay = (
  tx: Queryable,
  key: ScheduleKey,
  { day, problem }: { day: string; problem: string | null },
): Promise<number> =>
  tx.execute(sql`
    UPDATE message_schedules
    SET problem = ${problem},
        last_sent_at = ${problem === null ? sql`now()` : sql`last_sent_at`},
        next_day = (
          SELECT min(day)::date
          FROM generate_series(${day}::timestamp + '1 day', ${day}::timestamp + '7 days', '1 day') AS day
          WHERE extract(isodow FROM day) = ANY(weekdays))
    WHERE ${isOfSchedule(key)}`);
