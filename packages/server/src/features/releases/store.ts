import { COMMON_STARTS } from '@overworld/contract/analytics/release-limits';
import type { Release } from '@overworld/contract/analytics/releases';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { isAfter } from '../../platform/http/page.ts';
import type { PagePosition, PageRange } from '../../platform/http/page.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import type { DateRange } from '../../platform/reports/date-range.ts';

export interface ReleaseKey {
  game_id: string;
  release_id: string;
}

const isRare = sql`start_count < ${COMMON_STARTS}::integer`;
/** SQL: true if lists and charts show the release. */
const isShown = sql`(NOT is_hidden AND (releases.name IS NOT NULL OR NOT ${isRare}))`;

const SHOWN_COLUMNS = sql`releases.id, version, releases.name, note, first_started_at,
  (first_started_at AT TIME ZONE time_zone)::date AS first_day, ${isRare} AS is_rare, is_hidden`;

/**
 * Lists releases, the newest first.
 * @param with_all True to list also those that are hidden, or are rare and have no name.
 */
export const listReleases = (
  database: Queryable,
  { game_id, environment }: Tenant,
  { after, count }: PageRange,
  with_all: boolean,
): Promise<(Release & PagePosition)[]> =>
  database.query(sql`
    SELECT ${SHOWN_COLUMNS}, first_started_at::text AS created
    FROM releases
    JOIN games ON games.id = game_id
    WHERE game_id = ${game_id} AND environment = ${environment}
      AND (${with_all}::boolean OR ${isShown})
      AND ${isAfter(sql`first_started_at, releases.id`, 'newest_first', after)}
    ORDER BY first_started_at DESC, releases.id DESC
    LIMIT ${count}`);

export const findRelease = (
  database: Queryable,
  { game_id, release_id }: ReleaseKey,
): Promise<(Release & Pick<Tenant, 'environment'>) | null> =>
  database.queryOne(sql`
    SELECT ${SHOWN_COLUMNS}, environment
    FROM releases
    JOIN games ON games.id = game_id
    WHERE game_id = ${game_id} AND releases.id = ${release_id}`);

/** @returns false if ingest has just deleted the release to make room. */
export async function updateRelease(
  tx: Queryable,
  { game_id, release_id }: ReleaseKey,
  { name, note, is_hidden }: Pick<Release, 'name' | 'note' | 'is_hidden'>,
): Promise<boolean> {
  const count = await tx.execute(sql`
    UPDATE releases SET name = ${name}, note = ${note}, is_hidden = ${is_hidden}
    WHERE game_id = ${game_id} AND id = ${release_id}`);
  return count > 0;
}

/** A release on a chart. */
export interface ReleaseMark {
  id: string;
  version: string;
  name: string | null;
  day: string;
  at: string;
}

/** Lists the releases that charts of these days mark, those with the most starts if there are more than `limit`. */
export const listReleaseMarks = (
  database: Queryable,
  { game_id, environment }: Tenant,
  { starts_at, ends_at, time_zone }: DateRange,
  limit: number,
): Promise<ReleaseMark[]> =>
  database.query(sql`
    SELECT id, version, name, first_started_at AS at,
           (first_started_at AT TIME ZONE ${time_zone})::date AS day
    FROM releases
    WHERE game_id = ${game_id} AND environment = ${environment}
      AND first_started_at >= ${starts_at} AND first_started_at < ${ends_at} AND ${isShown}
    ORDER BY releases.name IS NULL, start_count DESC, version
    LIMIT ${limit}`);
