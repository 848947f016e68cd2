import {
  MAX_RELEASES,
  MAX_STRAY_STARTS,
  MAX_VERSION_LENGTH,
  STARTS_PER_STRAY,
  VERSION_PROPERTY,
} from '@overworld/contract/analytics/release-limits';
import { isVisible } from '@overworld/contract/names';
import { SESSION_START } from '@overworld/contract/players/first-session';
import type { Queryable } from '../../platform/database/database.ts';
import { literal, rowsAs, sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { Tenant } from '../../platform/players/player-key.ts';

/** The new versions of an environment that one batch of events adds at most, so that a flood stays cheap. */
const MAX_NEW_AT_ONCE = 10;

/** The version with which sessions of a batch of events started. */
interface Started extends Tenant {
  version: string;
  starts: number;
  /** The earliest starts in order, in microseconds since 1970, with commas between them. */
  earliest: string;
  /** The starts that are stored; null for a new version. */
  known_starts: number | null;
  /** True if one of the starts is among the earliest ones that are stored of the version. */
  is_early: boolean;
}

/** A version with the starts that are added to it. */
type Counted = Pick<Started, keyof Tenant | 'version' | 'earliest'> & { starts: number };

/** An arbitrary number that distinguishes these advisory locks from others. */
const RELEASE_LOCKS = 11_931;

/**
 * A step of ingest. Notices the versions with which the sessions of a batch started. Most batches write nothing,
 * because the starts of a common version are counted by samples.
 */
export async function noticeReleases(tx: Queryable): Promise<void> {
  const started = (await listStarted(tx)).filter(({ version }) => isVisible(version));
  const changed = started.map(sample).filter((each) => each !== null);
  if (changed.length === 0) return;
  await lockReleases(tx, changed);
  const updated = await updateReleases(tx, changed);
  const known = new Set(updated.map(keyOf));
  const added = changed.filter((each) => each.starts > 0 && !known.has(keyOf(each)));
  for (const versions of Map.groupBy(added, tenantOf).values()) {
    const wanted = versions.toSorted((a, b) => b.starts - a.starts).slice(0, MAX_NEW_AT_ONCE);
    const { room, weight } = await makeRoom(tx, wanted[0]!, wanted.length);
    await insertReleases(tx, wanted.slice(0, room), weight);
  }
}

const tenantOf = ({ game_id, environment }: Tenant): string => `${game_id} ${environment}`;
const keyOf = (release: Pick<Started, keyof Tenant | 'version'>): string =>
  `${tenantOf(release)} ${release.version}`;

/**
 * Decides how many starts are added to a version. Once it has many, about every 64th part of them is added at
 * once, as often as chance says, so that the count is right on average and is seldom written.
 * @returns null if nothing is to be stored.
 */
function sample({ known_starts, is_early, starts, ...release }: Started): Counted | null {
  const step = Math.floor((known_starts ?? 0) / 64);
  if (starts >= step) return { ...release, starts };
  const is_counted = Math.random() * step < starts;
  return is_counted || is_early ? { ...release, starts: is_counted ? step : 0 } : null;
}

/** Lets one transaction at a time change the releases of an environment: nodes add and replace different ones. */
const lockReleases = (tx: Queryable, changed: readonly Tenant[]): Promise<number> =>
  tx.execute(sql`
    SELECT pg_advisory_xact_lock(key)
    FROM (SELECT DISTINCT hashtextextended(name, ${literal(RELEASE_LOCKS)}) AS key
          FROM unnest(${changed.map(tenantOf)}::text[]) AS name
          ORDER BY key) AS locks`);

const SENT = sql`(properties -> ${literal(VERSION_PROPERTY)})`;
/** The text of a version, as reports group by it (`propertyText`). */
const VERSION = sql`CASE jsonb_typeof(${SENT}) WHEN 'string' THEN ${SENT} #>> '{}'
  ELSE trim_scale(${SENT}::numeric)::text END`;

/**
 * SQL: the microseconds since 1970. A cluster takes no function of a changed row that could depend on settings of the
 * session, such as adding an interval to a moment, so releases are stored by such numbers.
 */
const microseconds = (moment: Sql): Sql =>
  sql`(extract(epoch FROM ${moment} - '1970-01-01 00:00:00Z'::timestamptz) * 1000000)::bigint`;

/** Also one more than may be strays: the first start is the next one. */
const KEPT_STARTS = literal(MAX_STRAY_STARTS + 1);

/** The statement has no parameters: a cluster could not tell the types of those in the inner one. */
const listStarted = (tx: Queryable): Promise<Started[]> =>
  tx.query(sql`
    SELECT game_id, environment, version, starts,
           array_to_string(ARRAY(SELECT ${microseconds(sql`at`)} FROM unnest(earliest) AS at), ',') AS earliest,
           known.start_count AS known_starts,
           COALESCE(cardinality(known.earliest_starts) < ${KEPT_STARTS} OR earliest[1]
             < known.noticed_at + known.earliest_starts[${KEPT_STARTS}] * interval '1 microsecond',
             true) AS is_early
    FROM (
      SELECT game_id, environment, ${VERSION} AS version, count(*) AS starts,
             (array_agg(occurred_at ORDER BY occurred_at))[1:${KEPT_STARTS}] AS earliest
      FROM ingested_events
      WHERE event_name = ${literal(SESSION_START)} AND player_id IS NOT NULL
        AND jsonb_typeof(${SENT}) IN ('string', 'number')
      GROUP BY 1, 2, 3
    ) AS started
    LEFT JOIN releases AS known USING (game_id, environment, version)
    WHERE length(version) BETWEEN 1 AND ${literal(MAX_VERSION_LENGTH)}`);

const rowsOf = (changed: readonly Counted[]) =>
  rowsAs('started', changed, {
    game_id: 'uuid',
    environment: 'environment',
    version: 'text',
    starts: 'integer',
    earliest: 'text',
  });

/** SQL: the first start of a version, which leaves out those that may be strays. */
const firstStart = (noticed_at: Sql, earliest: Sql, starts: Sql): Sql =>
  sql`to_timestamp((${microseconds(noticed_at)} + ${earliest}[
    LEAST(cardinality(${earliest}), 1 + ${starts} / ${literal(STARTS_PER_STRAY)})])
    / 1000000::double precision)`;

const MAX_COUNT = literal(2_000_000_000);

const updateReleases = (
  tx: Queryable,
  changed: readonly Counted[],
): Promise<Pick<Started, keyof Tenant | 'version'>[]> =>
  tx.query(sql`
    UPDATE releases AS known
    SET start_count = next.start_count, earliest_starts = next.earliest,
        weight = GREATEST(known.weight, known.start_count) + next.starts,
        first_started_at = ${firstStart(sql`known.noticed_at`, sql`next.earliest`, sql`next.start_count`)}
    FROM (
      SELECT game_id, environment, version, starts,
             LEAST(releases.start_count::bigint + starts, ${MAX_COUNT})::integer AS start_count,
             ARRAY(
               SELECT start
               FROM unnest(CASE cardinality(earliest_starts)
                 WHEN 0 THEN ARRAY[${microseconds(sql`first_started_at`)} - ${microseconds(sql`noticed_at`)}]
                 ELSE earliest_starts END || ARRAY(
                   SELECT at - ${microseconds(sql`noticed_at`)}
                   FROM unnest(string_to_array(started.earliest, ',')::bigint[]) AS at)) AS start
               ORDER BY start
               LIMIT ${KEPT_STARTS}) AS earliest
      FROM ${rowsOf(changed)}
      JOIN releases USING (game_id, environment, version)
    ) AS next
    WHERE known.game_id = next.game_id AND known.environment = next.environment
      AND known.version = next.version
    RETURNING known.game_id, known.environment, known.version`);

/**
 * Makes room for new versions of an environment. Those without a name and note give way: first what is hidden,
 * then the lightest. A new version takes over the weight of what gave way, so that each version with more starts
 * than a place has on average keeps its place, however many others are sent (the algorithm Space-Saving).
 * @returns the number of versions for which there is room, at most `wanted`, and the weight that they take over.
 */
async function makeRoom(
  tx: Queryable,
  { game_id, environment }: Tenant,
  wanted: number,
): Promise<{ room: number; weight: number }> {
  const isOfTenant = sql`game_id = ${game_id} AND environment = ${environment}`;
  const row = await tx.queryOne<{ count: number }>(
    sql`SELECT count(*) AS count FROM releases WHERE ${isOfTenant}`,
  );
  const room = Math.max(0, MAX_RELEASES - row!.count);
  if (room >= wanted) return { room: wanted, weight: 0 };
  const deleted = await tx.query<{ weight: number }>(sql`
    DELETE FROM releases
    WHERE ${isOfTenant} AND version = ANY (ARRAY(
      SELECT version FROM releases
      WHERE ${isOfTenant} AND name IS NULL AND note IS NULL
      ORDER BY is_hidden DESC, GREATEST(weight, start_count), noticed_at, version
      LIMIT ${wanted - room}
      FOR UPDATE SKIP LOCKED))
    RETURNING CASE WHEN is_hidden THEN 0 ELSE GREATEST(weight, start_count) END AS weight`);
  return {
    room: room + deleted.length,
    weight: Math.max(0, ...deleted.map(({ weight }) => weight)),
  };
}

async function insertReleases(
  tx: Queryable,
  added: readonly Counted[],
  weight: number,
): Promise<void> {
  if (added.length === 0) return;
  await tx.execute(sql`
    INSERT INTO releases
      (game_id, environment, version, first_started_at, noticed_at, start_count, weight,
       earliest_starts)
    SELECT game_id, environment, version, ${firstStart(sql`noticed_at`, sql`offsets`, sql`starts`)},
           noticed_at, starts, ${weight}::bigint + starts, offsets
    FROM (
      SELECT *, ARRAY(SELECT at - ${microseconds(sql`noticed_at`)}
                      FROM unnest(string_to_array(earliest, ',')::bigint[]) AS at) AS offsets
      FROM ${rowsOf(added)}
      CROSS JOIN (SELECT now() AS noticed_at) AS clock
    ) AS new
    ON CONFLICT (game_id, environment, version) DO NOTHING`);
}
