import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { DefinedStat } from './catalogue.ts';

/** A statistic as the dashboard sees it. */
export interface Stat extends DefinedStat {
  /** True while the values are counted from the events that are stored. */
  is_counting: boolean;
  created_at: string;
  updated_at: string;
}

export type StatFields = Omit<DefinedStat, 'key'>;

const definedColumns = sql`key, name, description, aggregation, minimum::float8 AS minimum,
  maximum::float8 AS maximum, max_change::float8 AS max_change, writes_from, source, archived`;

/** Lists a game's statistics by key, the archived ones too. */
export async function listDefinedStats(
  database: Queryable,
  game_id: string,
): Promise<DefinedStat[]> {
  return database.query(sql`
    SELECT ${definedColumns} FROM stats WHERE game_id = ${game_id} ORDER BY key`);
}

/** Lists a game's statistics by key, with the times of their changes. */
export async function listAllStats(database: Queryable, game_id: string): Promise<Stat[]> {
  return database.query(sql`
    SELECT ${definedColumns}, source IS NOT NULL AND NOT is_counted AND NOT archived AS is_counting, created_at,
      updated_at
    FROM stats WHERE game_id = ${game_id} ORDER BY key`);
}

export async function findStat(
  database: Queryable,
  game_id: string,
  key: string,
): Promise<Stat | null> {
  return database.queryOne(sql`
    SELECT ${definedColumns}, source IS NOT NULL AND NOT is_counted AND NOT archived AS is_counting, created_at,
      updated_at
    FROM stats WHERE game_id = ${game_id} AND key = ${key}`);
}

/** Counts the statistics of a game, the archived ones too. */
export async function countStats(tx: Queryable, game_id: string): Promise<number> {
  const row = await tx.queryOne<{ count: number }>(sql`
    SELECT count(*) AS count FROM stats WHERE game_id = ${game_id}`);
  return row!.count;
}

const writeSource = ({ source }: StatFields): string | null =>
  source === null ? null : JSON.stringify(source);

export async function insertStat(
  tx: Queryable,
  game_id: string,
  key: string,
  stat: StatFields,
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO stats (game_id, key, name, description, aggregation, minimum, maximum, max_change,
                       writes_from, source, archived)
    VALUES (${game_id}, ${key}, ${stat.name}, ${stat.description}, ${stat.aggregation},
            ${stat.minimum}, ${stat.maximum}, ${stat.max_change}, ${stat.writes_from},
            ${writeSource(stat)}::jsonb, ${stat.archived})`);
}

/** @param is_counted False if the values must be counted from the stored events anew. */
export async function updateStat(
  tx: Queryable,
  game_id: string,
  key: string,
  stat: StatFields,
  is_counted: boolean,
): Promise<void> {
  await tx.execute(sql`
    UPDATE stats
    SET name = ${stat.name}, description = ${stat.description}, aggregation = ${stat.aggregation},
        minimum = ${stat.minimum}, maximum = ${stat.maximum}, max_change = ${stat.max_change},
        writes_from = ${stat.writes_from}, source = ${writeSource(stat)}::jsonb,
        is_counted = is_counted AND ${is_counted}, archived = ${stat.archived}, updated_at = now()
    WHERE game_id = ${game_id} AND key = ${key}`);
}

export async function deleteStat(tx: Queryable, game_id: string, key: string): Promise<void> {
  await tx.execute(sql`DELETE FROM stats WHERE game_id = ${game_id} AND key = ${key}`);
}

/**
 * Tells whether a player of either environment has a value. Waits for running transactions that change the
 * statistic, and prevents others until this transaction ends.
 */
export async function lockAndFindValues(
  tx: Queryable,
  game_id: string,
  key: string,
): Promise<boolean> {
  await tx.execute(sql`
    SELECT FROM stats WHERE game_id = ${game_id} AND key = ${key} FOR UPDATE`);
  // A second statement sees the values that were committed while the first waited for its lock.
  const found = await tx.execute(sql`
    SELECT FROM player_stats
    WHERE game_id = ${game_id} AND game_id::text COLLATE "C" = ${game_id} AND key || '' = ${key}
    LIMIT 1`);
  return found > 0;
}

/** Counts the statistics of a game that events move. */
export async function countSourced(tx: Queryable, game_id: string): Promise<number> {
  const row = await tx.queryOne<{ count: number }>(sql`
    SELECT count(*) AS count FROM stats
    WHERE game_id = ${game_id} AND source IS NOT NULL AND NOT archived`);
  return row!.count;
}
