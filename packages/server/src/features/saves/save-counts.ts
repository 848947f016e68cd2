import { HIGH_CONFLICT_PERCENT, LEAST_SAVES } from '@overworld/contract/webhooks/service-events';
import type { Background } from '../../platform/background/background.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { forEachGroup } from '../../platform/database/each-group.ts';
import { forRowsOfEachGroup } from '../../platform/database/group-rows.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { rowsAs, sql } from '../../platform/database/sql.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { apiTimestamp, insertDeliveries } from '../../platform/webhooks/post-event.ts';
import type { AlertPeriod } from '@overworld/contract/alerts/alert-words';
import { isOfTenant } from '../../platform/players/player-key.ts';

interface SaveCount extends Tenant {
  saves: number;
  conflicts: number;
}

/** The number of days for which counts are kept. Alerts compare an hour with hours of the last four weeks. */
const KEPT_DAYS = 40;

/** Makes a counter that writes its counts every few seconds; a crash loses the last counts. */
export function createSaveCounts(database: GroupedDatabase, background: Background) {
  let noted = new Map<string, SaveCount>();

  const add = ({ game_id, environment }: Tenant, saves: number, conflicts: number) => {
    const name = `${game_id} ${environment}`;
    const known = noted.get(name);
    if (known === undefined) noted.set(name, { game_id, environment, saves, conflicts });
    else {
      known.saves += saves;
      known.conflicts += conflicts;
    }
  };

  const flush = async () => {
    const counts = noted.values();
    noted = new Map();
    await forRowsOfEachGroup(database, counts, async (group, its_counts) => {
      try {
        await addCounts(group, its_counts);
      } catch (error) {
        its_counts.forEach((count) => add(count, count.saves, count.conflicts));
        throw error;
      }
    });
  };
  background.everyHere(2_000, 'counting saves', flush);
  background.onOneServer(60_000, 'announcing conflicts of saves', () =>
    forEachGroup(database.groups, announceConflicts),
  );

  return {
    /** Counts a save in memory. The request need not wait for the database. */
    note: (tenant: Tenant, is_conflict: boolean) => add(tenant, 1, is_conflict ? 1 : 0),
    /** Writes the last counts. */
    close: flush,
  };
}

/** A counter of saves and conflicts by the hour. */
export type SaveCounts = ReturnType<typeof createSaveCounts>;

async function addCounts(database: Database, counts: readonly SaveCount[]): Promise<void> {
  await database.execute(sql`
    INSERT INTO hourly_save_counts AS known (game_id, environment, hour, saves, conflicts)
    SELECT game_id, counted.environment, date_trunc('hour', clock_timestamp()) AS hour, saves,
           conflicts
    FROM ${rowsAs('counted', counts, {
      game_id: 'uuid',
      environment: 'environment',
      saves: 'bigint',
      conflicts: 'bigint',
    })}
    JOIN games ON games.id = game_id
    ORDER BY game_id, environment
    ON CONFLICT (game_id, environment, hour) DO UPDATE
    SET saves = known.saves + EXCLUDED.saves, conflicts = known.conflicts + EXCLUDED.conflicts`);
}

/** Tells webhooks once about each finished hour with many conflicts, and deletes old counts. */
export async function announceConflicts(database: Database): Promise<void> {
  await database.execute(sql`
    WITH high AS (
      UPDATE hourly_save_counts SET is_announced = true
      WHERE hour BETWEEN now() - interval '3 hours' AND now() - interval '61 minutes'
        AND NOT is_announced AND saves >= ${LEAST_SAVES}::bigint
        AND conflicts * 100 > saves * ${HIGH_CONFLICT_PERCENT}::bigint
      RETURNING game_id, environment, hour, saves, conflicts
    )
    ${insertDeliveries(sql`(
      SELECT game_id, environment, NULL AS player_id, 'saves.conflict_rate_high' AS type,
             json_build_object(
               'game_id', game_id, 'environment', environment,
               'hour', ${apiTimestamp(sql`hour`)}, 'saves', saves, 'conflicts', conflicts,
               'percent', round(conflicts * 100.0 / saves, 1)) AS data
      FROM high) AS happened`)}`);
  await database.execute(sql`
    DELETE FROM hourly_save_counts
    WHERE hour < now() - ${KEPT_DAYS}::integer * interval '1 day'`);
}

/** Reads for each period the share of saves in conflict, in percent; null where nothing was saved. */
export async function readConflictPercents(
  database: Queryable,
  watched: Tenant & { period: AlertPeriod; starts: readonly string[]; time_zone: string },
): Promise<(number | null)[]> {
  const { period, starts, time_zone } = watched;
  const range =
    period === 'day'
      ? sql`hour >= start::timestamp AT TIME ZONE ${time_zone}::text
            AND hour < (start::timestamp + interval '1 day') AT TIME ZONE ${time_zone}::text`
      : sql`hour >= start::timestamptz AND hour < start::timestamptz + interval '1 hour'`;
  const rows = await database.query<{ value: number | null }>(sql`
    SELECT (SELECT (sum(conflicts) * 100.0 / NULLIF(sum(saves), 0))::float8
            FROM hourly_save_counts WHERE ${isOfTenant(watched)} AND ${range}) AS value
    FROM unnest(${[...starts]}::text[]) WITH ORDINALITY AS asked (start, number)
    ORDER BY number`);
  return rows.map(({ value }) => value);
}
