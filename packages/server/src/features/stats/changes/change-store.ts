import { IDEMPOTENCY_DAYS } from '@overworld/contract/idempotency';
import { MAX_STAT_VALUE } from '@overworld/contract/stats/stat-limits';
import type { Queryable } from '../../../platform/database/database.ts';
import { literal, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { lockPlayersOf } from '../../../platform/players/player-lock.ts';
import { keyArrays } from '../../../platform/players/player-key.ts';
import type { JudgedUnlock } from '../../../platform/players/stat-watcher.ts';
import { senderOf } from './request-keys.ts';
import { totalsOf } from './units.ts';
import type { FoundStat, Unit } from './units.ts';

/** The outcome of a unit. */
export interface StoredUnit {
  is_stored: boolean;
  found: ReadonlyMap<string, FoundStat>;
  /** The achievements that the unit has unlocked. */
  unlocked?: readonly JudgedUnlock[];
}

/** SQL that joins two values of a statistic. `earlier` and `later` are rows with `value` and `changed_at`. */
export const joinedValue = (aggregation: Sql, earlier: Sql, later: Sql): Sql => sql`
  CASE ${aggregation}
    WHEN 'sum' THEN ${earlier}.value + ${later}.value
    WHEN 'max' THEN GREATEST(${earlier}.value, ${later}.value)
    WHEN 'min' THEN LEAST(${earlier}.value, ${later}.value)
    ELSE CASE WHEN ${later}.changed_at >= ${earlier}.changed_at THEN ${later}.value
              ELSE ${earlier}.value END
  END`;

/** The conflict of rows of the same hour. */
export const joinHours: Sql = sql`
  ON CONFLICT (game_id, environment, player_id, key, hour) DO UPDATE
  SET value = ${joinedValue(sql`known.aggregation`, sql`known`, sql`EXCLUDED`)},
      changed_at = GREATEST(known.changed_at, EXCLUDED.changed_at)`;

const MOST = literal(MAX_STAT_VALUE);

/**
 * Stores the units whose requests are all possible, each as a whole, and nothing of the others. Remembers the
 * idempotency keys of their requests. It locks the values in the order of their keys, and decides on what it
 * has locked, so the outcome is exact whatever other servers do. On a cluster it is several statements, and
 * needs a transaction.
 * @param units No two about the same player.
 * @throws the error of PostgreSQL about `player_stats_pkey` when another transaction has just stored the first
 * value of one of these players, or about `stat_request_keys_pkey` when one of the idempotency keys is known.
 * Nothing is stored then.
 */
export async function storeUnits(
  database: Queryable,
  units: readonly Unit[],
): Promise<StoredUnit[]> {
  const totals = units.flatMap((unit, index) =>
    totalsOf(unit).map((total) => ({ unit: index, player: unit.player, ...total })),
  );
  const is_checked = units.some(({ expected }) => expected !== null);
  const rows = await database.query<FoundStat & { number: number; is_stored: boolean }>(sql`
    WITH asked AS MATERIALIZED (
      SELECT *
      FROM unnest(${keyArrays(totals.map(({ player }) => player))},
                  ${totals.map(({ key }) => key)}::text[],
                  ${totals.map(({ unit }) => unit)}::integer[],
                  ${totals.map(({ aggregation }) => aggregation)}::text[],
                  ${totals.map(({ total }) => total)}::numeric[],
                  ${totals.map(({ high }) => high)}::numeric[],
                  ${totals.map(({ low }) => low)}::numeric[])
        WITH ORDINALITY AS asked
          (game_id, environment, player_id, key, unit, sent_aggregation, total, high, low, number)
    ), defined AS MATERIALIZED (
      SELECT named.game_id, named.key, definition.*
      FROM (SELECT DISTINCT game_id, key FROM asked ORDER BY game_id, key) AS named
      CROSS JOIN LATERAL (
        SELECT aggregation, GREATEST(minimum, -${MOST}) AS minimum,
               LEAST(maximum, ${MOST}) AS maximum
        FROM stats
        WHERE stats.game_id = named.game_id AND stats.key = named.key AND NOT archived
          AND source IS NULL
        OFFSET 0
        FOR KEY SHARE
      ) AS definition
    ), locked AS MATERIALIZED (
      SELECT number, before
      FROM (SELECT * FROM asked ORDER BY game_id, environment, player_id, key) AS asked
      CROSS JOIN LATERAL (
        SELECT value AS before
        FROM player_stats AS known
        WHERE known.game_id = asked.game_id AND known.environment = asked.environment
          AND known.player_id = asked.player_id AND known.key = asked.key
        OFFSET 0
        FOR NO KEY UPDATE
      ) AS known
    ), decided AS MATERIALIZED (
      SELECT asked.*, aggregation, minimum, maximum, before,
             CASE sent_aggregation
               WHEN 'sum' THEN coalesce(before, 0) + total
               WHEN 'max' THEN GREATEST(before, total)
               WHEN 'min' THEN LEAST(before, total)
               ELSE total
             END AS value,
             bool_and(
               coalesce(aggregation = sent_aggregation, false)
               AND coalesce(start + high <= maximum, true)
               AND coalesce(start + low >= minimum, true)
               ${is_checked ? isExpected(units, totals) : sql``}
             ) OVER (PARTITION BY unit) AS is_stored
      FROM asked
      LEFT JOIN locked USING (number)
      LEFT JOIN defined USING (game_id, key)
      CROSS JOIN LATERAL (
        SELECT CASE sent_aggregation WHEN 'sum' THEN coalesce(before, 0) ELSE 0 END AS start
      ) AS starting
    ), changed AS (
      SELECT *, statement_timestamp() AS changed_at FROM decided WHERE is_stored
    ), updated AS (
      UPDATE player_stats AS known
      SET value = changed.value, changed_at = GREATEST(known.changed_at, changed.changed_at)
      FROM changed
      WHERE known.game_id = changed.game_id AND known.environment = changed.environment
        AND known.player_id = changed.player_id AND known.key = changed.key
        AND before IS NOT NULL
    ), inserted AS (
      INSERT INTO player_stats
        (game_id, environment, player_id, key, aggregation, value, changed_at)
      SELECT game_id, environment, player_id, key, aggregation, value, changed_at
      FROM changed
      WHERE before IS NULL
      ORDER BY game_id, environment, player_id, key
    ), counted AS (
      INSERT INTO player_stat_hours AS known
        (game_id, environment, player_id, key, hour, aggregation, value, changed_at)
      SELECT game_id, environment, player_id, key, date_trunc('hour', changed_at, 'UTC'),
             aggregation, total, changed_at
      FROM changed
      ORDER BY game_id, environment, player_id, key
      ${joinHours}
    ), ${rememberKeys(units)}${lockPlayersOf(sql`changed`)}
    SELECT number, key, aggregation, minimum, maximum, before, value, is_stored FROM decided`);
  const stored = units.map(() => ({ is_stored: true, found: new Map<string, FoundStat>() }));
  for (const { number, is_stored, ...found } of rows) {
    const outcome = stored[totals[number - 1]!.unit]!;
    outcome.is_stored = is_stored;
    outcome.found.set(found.key, found);
  }
  return stored;
}

/** SQL that is true for rows whose value is the one on which the requests were decided. */
function isExpected(units: readonly Unit[], totals: readonly { unit: number; key: string }[]): Sql {
  const expected = totals.map(({ unit, key }) => units[unit]!.expected?.get(key) ?? null);
  const checked = totals.map(({ unit }) => units[unit]!.expected !== null);
  return sql`AND (NOT (${checked}::boolean[])[number]
                  OR before IS NOT DISTINCT FROM (${expected}::numeric[])[number])`;
}

/** SQL of a common table expression that stores the idempotency keys of the stored units. */
function rememberKeys(units: readonly Unit[]): Sql {
  const sent = units.flatMap(({ player, requests }, unit) =>
    requests.flatMap(({ sent: it }) =>
      it === null ? [] : [{ unit, game_id: player.game_id, sender: senderOf(player), ...it }],
    ),
  );
  if (sent.length === 0) return sql``;
  return sql`remembered AS (
      INSERT INTO stat_request_keys
        (game_id, key_id, idempotency_key, body_hash, expires_at, sender)
      SELECT sent.game_id, key_id, idempotency_key, body_hash,
             statement_timestamp() + make_interval(days => ${IDEMPOTENCY_DAYS}), sender
      FROM unnest(${sent.map(({ unit }) => unit)}::integer[],
                  ${sent.map(({ game_id }) => game_id)}::uuid[],
                  ${sent.map(({ key_id }) => key_id)}::uuid[],
                  ${sent.map(({ key }) => key)}::text[],
                  ${sent.map(({ body_hash }) => body_hash)}::text[],
                  ${sent.map(({ sender }) => sender)}::bigint[])
        AS sent (unit, game_id, key_id, idempotency_key, body_hash, sender)
      WHERE unit IN (SELECT unit FROM changed)
      ORDER BY 1, 2, 3
    ), `;
}
