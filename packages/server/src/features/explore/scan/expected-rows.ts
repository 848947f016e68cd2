import type { Tenant } from '../../../platform/players/player-key.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import type { EventSelection } from './event-selection.ts';

/**
 * Announces passes over all players of an environment to the report's progress,
 * such as a pass over their active days.
 */
export async function expectPlayers(
  database: ExploreDatabase,
  { game_id, environment }: Tenant,
  passes: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { progress } = database;
  const missing = passes.filter((pass) => progress.expected(pass) === null);
  if (missing.length === 0) return;
  const [row] = await database.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM players
        WHERE game_id = ${game_id}::uuid AND environment = ${environment}::environment`,
    signal,
  );
  for (const pass of missing) progress.expect(pass, row!.count);
}

/**
 * Announces to the report's progress that the events with some names, or all events (`null`), will be read.
 * Their number comes from the rollups. The first and the last day of a range count as whole days.
 */
export async function expectEvents(
  database: ExploreDatabase,
  { game_id, environment, starts_at, ends_at }: EventSelection,
  names: readonly string[] | null,
  signal: AbortSignal,
): Promise<void> {
  const { progress } = database;
  const part = partOf(names);
  if (progress.expected(part) !== null) return;
  const [row] = await database.query<{ count: number }>(
    sql`
      SELECT COALESCE(sum(event_count), 0)::bigint AS count
      FROM daily_event_counts
      WHERE game_id = ${game_id}::uuid AND environment = ${environment}::environment
        AND (${names}::text[] IS NULL OR event_name = ANY(${names}::text[]))
        AND day BETWEEN (${starts_at}::timestamptz - interval '1 day')::date
                    AND ${ends_at}::timestamptz::date`,
    signal,
  );
  progress.expect(part, row!.count);
}

/** Names the part of a report's work that reads the events with these names; null for all events. */
export const partOf = (names: readonly string[] | null): string =>
  `events ${JSON.stringify(names)}`;
