import type { Tenant } from '../../../platform/players/player-key.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import type { EventSelection } from './event-selection.ts';

/**
 * Tells the progress display of a report that all players of an environment will be
 * read, once or several times, for example to read the active days of each.
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
 * Tells the progress display of a report that all events with these names (`null`: all events) will be read.
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

/** Returns the name, for the progress display, of the step that reads these events (`null`: all events). */
export const partOf = (names: readonly string[] | null): string =>
  `events ${JSON.stringify(names)}`;
