import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { Tenant } from '../../platform/players/player-key.ts';

/** A range of calendar days in the time zone of a game, both ends included. */
export interface Days {
  from: string;
  to: string;
}

/** Makes SQL for a table `calendar` that has one row, with the column `day`, for each day of the range. */
export const calendar = ({ from, to }: Days): Sql => sql`
  (SELECT ${from}::date + place AS day
   FROM generate_series(0, ${to}::date - ${from}::date) AS place) AS calendar`;

/** Makes SQL that is true for the rows of a rollup that belong to this environment and these days. */
export const isOfDays = ({ game_id, environment }: Tenant, { from, to }: Days): Sql => sql`
  game_id = ${game_id} AND environment = ${environment}
  AND day BETWEEN ${from}::date AND ${to}::date`;

export const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

/** Divides a total by a count. Returns null for a count of 0. */
export const divide = (total: number, count: number): number | null =>
  count === 0 ? null : total / count;

const DAY_MS = 86_400_000;

/** Returns the number of days from 1970-01-01 to a day. */
export const dayNumber = (day: string): number => Date.parse(day) / DAY_MS;

export const dayText = (number: number): string =>
  new Date(number * DAY_MS).toISOString().slice(0, 10);

export const addDays = (day: string, count: number): string => dayText(dayNumber(day) + count);

export const daysBetween = (first: string, last: string): number =>
  dayNumber(last) - dayNumber(first);

/** Returns the number of days of a range. */
export const countDays = ({ from, to }: Days): number => daysBetween(from, to) + 1;
