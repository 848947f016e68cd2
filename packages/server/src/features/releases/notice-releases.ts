import {
  COMMON_STARTS,
  MAX_RELEASES,
  MAX_VERSION_LENGTH,
  VERSION_PROPERTY,
} from '@overworld/contract/analytics/release-limits';
import { isVisible } from '@overworld/contract/names';
import { SESSION_START } from '@overworld/contract/players/first-session';
import type { Queryable } from '../../platform/database/database.ts';
import { literal, rowsAs, sql } from '../../platform/database/sql.ts';
import type { Tenant } from '../../platform/players/player-key.ts';

/** The new versions of an environment that one batch of events adds at most, so that a flood stays cheap. */
const MAX_NEW_AT_ONCE = 10;

/** A version whose sessions in a batch of events change what is stored about it. */
interface Started extends Tenant {
  version: string;
  /** The earliest start, with microseconds. */
  first_started_at: string;
  starts: number;
  is_new: boolean;
}

/**
 * A step of ingest. Notices the versions with which the sessions of a batch started. Most batches write nothing,
 * because a version that is common is written again only if an earlier start arrives late. Nodes that notice
 * versions at the same moment may together pass the limit by a few.
 */
export async function noticeReleases(tx: Queryable): Promise<void> {
  const started = (await listStarted(tx)).filter(({ version }) => isVisible(version));
  if (started.length === 0) return;
  const noticed = started.filter(({ is_new }) => !is_new);
  const of_tenants = Map.groupBy(
    started.filter(({ is_new }) => is_new),
    ({ game_id, environment }) => `${game_id} ${environment}`,
  );
  for (const versions of of_tenants.values()) {
    const wanted = versions.toSorted((a, b) => b.starts - a.starts).slice(0, MAX_NEW_AT_ONCE);
    const room = await makeRoom(tx, wanted[0]!, wanted.length);
    noticed.push(...wanted.slice(0, room));
  }
  await storeReleases(tx, noticed);
}

const SENT = sql`(properties -> ${literal(VERSION_PROPERTY)})`;
/** The text of a version, as reports group by it (`propertyText`). */
const VERSION = sql`CASE jsonb_typeof(${SENT}) WHEN 'string' THEN ${SENT} #>> '{}'
  ELSE trim_scale(${SENT}::numeric)::text END`;

/** The statement has no parameters: a cluster could not tell the types of those in the inner one. */
const listStarted = (tx: Queryable): Promise<Started[]> =>
  tx.query(sql`
    SELECT game_id, environment, version, started.first_started_at::text AS first_started_at, starts,
           known.version IS NULL AS is_new
    FROM (
      SELECT game_id, environment, ${VERSION} AS version, min(occurred_at) AS first_started_at,
             count(*) AS starts
      FROM ingested_events
      WHERE event_name = ${literal(SESSION_START)} AND player_id IS NOT NULL
        AND jsonb_typeof(${SENT}) IN ('string', 'number')
      GROUP BY 1, 2, 3
    ) AS started
    LEFT JOIN releases AS known USING (game_id, environment, version)
    WHERE length(version) BETWEEN 1 AND ${literal(MAX_VERSION_LENGTH)}
      AND (known.version IS NULL OR known.start_count < ${literal(COMMON_STARTS)}
           OR started.first_started_at < known.first_started_at)`);

/**
 * Makes room for new versions of an environment, by deleting versions that nobody named and nobody misses.
 * @returns the number of versions for which there is room, at most `wanted`.
 */
async function makeRoom(
  tx: Queryable,
  { game_id, environment }: Tenant,
  wanted: number,
): Promise<number> {
  const isOfTenant = sql`game_id = ${game_id} AND environment = ${environment}`;
  const row = await tx.queryOne<{ count: number }>(
    sql`SELECT count(*) AS count FROM releases WHERE ${isOfTenant}`,
  );
  const room = Math.max(0, MAX_RELEASES - row!.count);
  if (room >= wanted) return wanted;
  const deleted = await tx.execute(sql`
    DELETE FROM releases
    WHERE ${isOfTenant} AND version = ANY (ARRAY(
      SELECT version FROM releases
      WHERE ${isOfTenant} AND name IS NULL AND note IS NULL
        AND (is_hidden OR (start_count < ${literal(COMMON_STARTS)}
                           AND noticed_at < now() - interval '1 hour'))
      ORDER BY is_hidden DESC, noticed_at, version
      LIMIT ${wanted - room}
      FOR UPDATE SKIP LOCKED))`);
  return room + deleted;
}

async function storeReleases(tx: Queryable, started: readonly Started[]): Promise<void> {
  if (started.length === 0) return;
  await tx.execute(sql`
    INSERT INTO releases AS known
      (game_id, environment, version, first_started_at, noticed_at, start_count)
    SELECT game_id, environment, version, first_started_at, now(),
           LEAST(starts, ${literal(COMMON_STARTS)})
    FROM ${rowsAs('started', started, {
      game_id: 'uuid',
      environment: 'environment',
      version: 'text',
      first_started_at: 'timestamptz',
      starts: 'integer',
    })}
    ORDER BY game_id, environment, version
    ON CONFLICT (game_id, environment, version) DO UPDATE
    SET first_started_at = LEAST(known.first_started_at, EXCLUDED.first_started_at),
        start_count = LEAST(known.start_count + EXCLUDED.start_count, ${literal(COMMON_STARTS)})`);
}
