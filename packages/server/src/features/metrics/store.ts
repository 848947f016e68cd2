import type { Metric } from '@overworld/contract/metrics/metrics';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { MetricDefinition } from './definition.ts';

/** A stored metric. */
export interface StoredMetric {
  key: string;
  name: string;
  description: string;
  definition: MetricDefinition;
  updated_at: string;
}

const columns = sql`key, name, description, definition, updated_at`;

/** Lists the metrics of a game by key. */
export const listMetrics = (database: Queryable, game_id: string): Promise<StoredMetric[]> =>
  database.query(sql`SELECT ${columns} FROM metrics WHERE game_id = ${game_id} ORDER BY key`);

/** Finds metrics by their keys. Those that do not exist are left out. */
export const findMetrics = (
  database: Queryable,
  game_id: string,
  keys: readonly string[],
): Promise<StoredMetric[]> =>
  database.query(sql`
    SELECT ${columns} FROM metrics WHERE game_id = ${game_id} AND key = ANY(${[...keys]}::text[])`);

export async function upsertMetric(
  tx: Queryable,
  game_id: string,
  { key, name, description, definition }: Omit<StoredMetric, 'updated_at'>,
): Promise<StoredMetric> {
  const row = await tx.queryOne<StoredMetric>(sql`
    INSERT INTO metrics (game_id, key, name, description, definition, updated_at)
    VALUES (${game_id}, ${key}, ${name}, ${description}, ${JSON.stringify(definition)}::jsonb, now())
    ON CONFLICT (game_id, key) DO UPDATE
    SET name = EXCLUDED.name, description = EXCLUDED.description,
        definition = EXCLUDED.definition, updated_at = EXCLUDED.updated_at
    RETURNING ${columns}`);
  return row!;
}

/** @returns True if the metric existed. */
export async function deleteMetric(tx: Queryable, game_id: string, key: string): Promise<boolean> {
  const count = await tx.execute(
    sql`DELETE FROM metrics WHERE game_id = ${game_id} AND key = ${key}`,
  );
  return count > 0;
}

/** A metric as the API shows it. */
export function showMetric({ definition, ...rest }: StoredMetric): Metric {
  const { event_name = null, filter = [], property = null, percentile = null } = definition;
  const { per = null, numerator = null, denominator = null, kind, unit } = definition;
  const { currency = null, currency_property = null, amount_unit = null } = definition;
  return {
    ...rest,
    kind,
    event_name,
    filter,
    property,
    percentile,
    per,
    numerator,
    denominator,
    unit,
    currency,
    currency_property,
    amount_unit,
  };
}
