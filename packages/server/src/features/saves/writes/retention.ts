import { KEPT_SAVE_VERSIONS, SAVE_HISTORY_DAYS } from '@overworld/contract/saves/limits';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { isSameSave } from '../save-key.ts';

/**
 * The number of bits in `hour_ends` that belong to the last ten versions. There are only nine, because
 * the newest version has no bit yet.
 */
const RECENT_BITS = KEPT_SAVE_VERSIONS - 1;

const hourOf = (time: Sql): Sql => sql`date_bin('1 hour', ${time}, 'epoch')`;
const dayOf = (time: Sql): Sql => sql`date_bin('1 day', ${time}, 'epoch')`;

/**
 * SQL for the new `hour_ends` of a save. `known` is the row of the save before the write, and `written`
 * has the version and the time after the write. Each bit of `hour_ends` stands for a version, and is set
 * if the next version was saved in another hour. Thus the bits tell which version is the last one of its
 * hour, and the rows of the versions need not be read. If one write stores several versions, all have the
 * same time.
 */
export const nextHourEnds = (written: Sql): Sql => sql`
  CASE ${written}.version - known.version
    WHEN 0 THEN known.hour_ends & ${2 ** RECENT_BITS - 1}
    ELSE (
      (known.hour_ends & ${2 ** RECENT_BITS - 1}) << 1
      | CASE WHEN ${hourOf(sql`known.saved_at`)} = ${hourOf(sql`${written}.saved_at`)} THEN 0 ELSE 1 END
    ) << (least(${written}.version - known.version, ${KEPT_SAVE_VERSIONS}) - 1)::integer
  END`;

/**
 * SQL condition on the new `hour_ends` of a save: true if a version that is now older than the last ten
 * was the last one of its hour.
 */
export const pushesHourEnd = sql`hour_ends >> ${RECENT_BITS} <> 0`;

/**
 * SQL that lists the versions of the save `pushed` that are older than its last ten. `row` is null for a
 * version that becomes older than the last ten by this write. The last version of each hour is kept for a
 * day, and the last version of each day for 30 days; days are those of UTC. `turn` is null for the
 * versions that are not kept. If the kept versions need too much space, those with the highest `turn` are
 * deleted first. `turn` counts the kept hours and the kept days separately, each from the newest. If only
 * hours were counted, one day of play could fill the space. If only days were counted, nobody could go
 * back by an hour.
 */
export const rankedVersions = (row: Sql): Sql => sql`
  SELECT row, version, size_bytes, saved_at, least(hours_after, days_after) AS turn
  FROM (
    SELECT row, version, size_bytes, saved_at,
           CASE WHEN ends_hour THEN count(*) FILTER (WHERE ends_hour) OVER newest_first END
             AS hours_after,
           CASE WHEN ends_day THEN count(*) FILTER (WHERE ends_day) OVER newest_first END
             AS days_after
    FROM (
      SELECT row, version, size_bytes, saved_at,
             saved_at > statement_timestamp() - interval '1 day'
               AND ${hourOf(sql`saved_at`)} <> ${hourOf(sql`next_saved_at`)} AS ends_hour,
             saved_at > statement_timestamp()
                        - ${SAVE_HISTORY_DAYS}::integer * interval '1 day'
               AND ${dayOf(sql`saved_at`)} <> ${dayOf(sql`next_saved_at`)} AS ends_day
      FROM (
        SELECT row, version, size_bytes, saved_at,
               lead(saved_at, 1, statement_timestamp()) OVER (ORDER BY version) AS next_saved_at
        FROM (
          SELECT ${row} AS row, version, octet_length(data) AS size_bytes, saved_at
          FROM older_save_versions AS old
          WHERE ${isSameSave(sql`old`, sql`pushed`)}
          UNION ALL
          SELECT NULL, version, octet_length(data), saved_at
          FROM save_versions AS old
          WHERE ${isSameSave(sql`old`, sql`pushed`)}
        ) AS old
      ) AS followed
      WHERE version <= pushed.version - ${KEPT_SAVE_VERSIONS}
    ) AS ending
    WINDOW newest_first AS (ORDER BY version DESC)
  ) AS ranked`;

/** The way in which a statement that has judged older versions finds their rows again. */
interface VersionRows {
  /** The value of `row` for a version that was older before this write. */
  address: Sql;
  /** SQL that is true if the row `old` is that of the version `judged`. */
  isJudged: Sql;
}

/**
 * By the version, a plan made while the table was empty would read all of the table. A cluster plans anew
 * each time, and takes no address of a row that another step has found.
 */
const VERSION_ROWS: { plain: VersionRows; cluster: VersionRows } = {
  plain: { address: sql`ctid`, isJudged: sql`old.ctid = judged.row` },
  cluster: { address: sql`true`, isJudged: sql`old.version = judged.version AND judged.row` },
};

/**
 * SQL for common table expressions that run when a write has stored the saves `stored`. They do nothing for
 * most writes. Only if the write pushes the last version of an hour out of the last ten versions of a save,
 * they decide anew which of the save's older versions are kept.
 */
export function keepOlderVersions(database: Queryable): Sql {
  const { address, isJudged } = database.formFor(VERSION_ROWS);
  return sql`
  judged AS (
    SELECT number, row, judged.version, turn IS NOT NULL AS is_kept
    FROM stored AS pushed
    CROSS JOIN LATERAL (${rankedVersions(address)}) AS judged
    WHERE ${pushesHourEnd}
  ), moved AS (
    INSERT INTO older_save_versions
      (game_id, environment, player_id, slot, version, data, app_version, saved_at)
    SELECT game_id, environment, player_id, slot, judged.version, data, app_version, old.saved_at
    FROM judged
    JOIN stored USING (number)
    CROSS JOIN LATERAL (
      SELECT data, app_version, saved_at
      FROM save_versions AS old
      WHERE ${isSameSave(sql`old`, sql`stored`)}
        AND place = judged.version % ${KEPT_SAVE_VERSIONS} AND old.version = judged.version
      OFFSET 0
    ) AS old
    WHERE is_kept AND row IS NULL
    -- Another server may have moved it since this statement began.
    ON CONFLICT (game_id, environment, player_id, slot, version) DO NOTHING
  ), thinned AS (
    DELETE FROM older_save_versions AS old
    USING judged
    JOIN stored USING (number)
    WHERE ${isSameSave(sql`old`, sql`stored`)} AND NOT is_kept
      AND ${isJudged}
  )`;
}
