import {
  EVENT_PROBLEM_DAYS,
  MAX_LISTED_PROBLEMS,
  MAX_PROBLEMS_OF_KEY,
} from '@overworld/contract/events/problem-limits';
import type { listEventProblems } from '@overworld/contract/events/problems';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';

/** An event as text, and the player whom it names. */
export interface Sample {
  sample: string | null;
  player_id: string | null;
}

/** Events of a key that had the same problem since the last flush. */
export interface NotedKind extends Tenant, Sample {
  key_id: string;
  /** A hash of the next four texts. */
  kind_hash: string;
  kind: 'refused' | 'warned';
  /** Empty if the events have no name. */
  event_name: string;
  path: string;
  message: string;
  event_count: number;
}

const COLUMNS = {
  game_id: 'uuid',
  environment: 'environment',
  key_id: 'uuid',
  kind_hash: 'text',
  kind: 'text',
  event_name: 'text',
  path: 'text',
  message: 'text',
  event_count: 'bigint',
  sample: 'text',
  player_id: 'text',
} as const;

/** Adds up the kinds with the stored ones, and deletes those that a key has too many of. */
export async function addKinds(database: Database, kinds: readonly NotedKind[]): Promise<void> {
  // Each server, and each worker of it, writes the rows in one order, so that none waits for another in a
  // circle. Two callers may be of one key.
  await database.execute(sql`
    INSERT INTO event_problems AS known
      (game_id, environment, key_id, kind_hash, kind, event_name, path, message, event_count,
       first_at, last_at, sample, sample_at, player_id)
    SELECT game_id, noted.environment, key_id, kind_hash, min(kind), min(event_name), min(path),
           min(message), sum(event_count), clock_timestamp(), clock_timestamp(),
           (array_agg(sample ORDER BY sample NULLS LAST))[1],
           CASE WHEN count(sample) > 0 THEN clock_timestamp() END,
           (array_agg(player_id ORDER BY sample NULLS LAST))[1]
    FROM ${rowsAs('noted', kinds, COLUMNS)}
    GROUP BY game_id, noted.environment, key_id, kind_hash
    ORDER BY game_id, noted.environment, key_id, kind_hash
    ON CONFLICT (game_id, environment, key_id, kind_hash) DO UPDATE
    SET event_count = known.event_count + EXCLUDED.event_count,
        last_at = EXCLUDED.last_at,
        sample = CASE WHEN EXCLUDED.sample IS NULL THEN known.sample ELSE EXCLUDED.sample END,
        sample_at = CASE WHEN EXCLUDED.sample IS NULL THEN known.sample_at ELSE EXCLUDED.sample_at END,
        player_id = CASE WHEN EXCLUDED.sample IS NULL THEN known.player_id ELSE EXCLUDED.player_id END`);
  for (const key of await listFullKeys(database, kinds)) await deleteSurplus(database, key);
}

interface Key {
  game_id: string;
  key_id: string;
}

/** Lists the keys of these kinds that have more kinds than are kept. */
const listFullKeys = (database: Database, kinds: readonly NotedKind[]): Promise<Key[]> =>
  database.query(sql`
    SELECT game_id, key_id
    FROM event_problems
    WHERE game_id = ANY(${[...new Set(kinds.map(({ game_id }) => game_id))]}::uuid[])
      AND key_id = ANY(${[...new Set(kinds.map(({ key_id }) => key_id))]}::uuid[])
    GROUP BY game_id, key_id
    HAVING count(*) > ${MAX_PROBLEMS_OF_KEY}::integer`);

/**
 * Deletes the kinds that a key has too many of. Rows that others have locked stay for the next time, so that
 * no two transactions wait for each other in a circle.
 */
const deleteSurplus = (database: Database, { game_id, key_id }: Key) =>
  database.execute(sql`
    DELETE FROM event_problems
    WHERE game_id = ${game_id} AND key_id = ${key_id} AND kind_hash IN (
      SELECT kind_hash FROM event_problems
      WHERE game_id = ${game_id} AND key_id = ${key_id} AND kind_hash NOT IN (
        SELECT kind_hash FROM event_problems
        WHERE game_id = ${game_id} AND key_id = ${key_id}
        ORDER BY (last_at > ${daysBefore(1)}::timestamptz) DESC, event_count DESC, last_at DESC,
                 kind_hash
        LIMIT ${MAX_PROBLEMS_OF_KEY}::integer
      )
      FOR UPDATE SKIP LOCKED
    )`);

const daysBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** Deletes the kinds and the samples that are too old. */
export async function deleteOldKinds(database: Database): Promise<void> {
  const oldest = daysBefore(EVENT_PROBLEM_DAYS);
  await database.execute(sql`DELETE FROM event_problems WHERE last_at < ${oldest}::timestamptz`);
  await database.execute(sql`
    UPDATE event_problems SET sample = NULL, sample_at = NULL, player_id = NULL
    WHERE sample_at < ${oldest}::timestamptz`);
}

/** Lists the kinds of problems of an environment, the ones with the newest events first. */
export const listKinds = (
  database: Queryable,
  { game_id, environment }: Tenant,
  key_id: string | undefined,
): Promise<SuccessOf<typeof listEventProblems>['problems']> =>
  database.query(sql`
    SELECT key_id, api_keys.name AS key_name, event_problems.kind,
           NULLIF(event_name, '') AS event_name, path, message, event_count, first_at, last_at,
           sample, player_id
    FROM event_problems
    LEFT JOIN api_keys
      ON api_keys.game_id = event_problems.game_id AND api_keys.id = event_problems.key_id
    WHERE event_problems.game_id = ${game_id} AND event_problems.environment = ${environment}
      AND (${key_id}::uuid IS NULL OR key_id = ${key_id})
      AND last_at > now() - make_interval(days => ${EVENT_PROBLEM_DAYS}::integer)
    ORDER BY last_at DESC, kind_hash
    LIMIT ${MAX_LISTED_PROBLEMS}`);
