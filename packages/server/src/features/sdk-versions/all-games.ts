import { MAX_GAMES_OF_VERSION } from '@overworld/contract/administration/sdk-versions';
import type { listAllSdkVersions } from '@overworld/contract/administration/sdk-versions';
import { MAX_SDK_VERSIONS, SDKS } from '@overworld/contract/games/sdk-versions';
import type { Sdk } from '@overworld/contract/games/sdk-versions';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Queryable } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { sql } from '../../platform/database/sql.ts';
import { RELEASE } from '../../platform/release.ts';
import { isOlder } from './version-order.ts';

/** The calls with one version in one group of games. */
interface Row {
  sdk: Sdk;
  version: string;
  call_count: number;
  last_day: string;
  game_count: number;
  games: { id: string; call_count: number }[];
}

/** Reads the calls of the last days to all games, by SDK and version. */
export async function readAllSdkVersions(
  database: GroupedDatabase,
  days: number,
): Promise<SuccessOf<typeof listAllSdkVersions>> {
  const rows = new Map<string, Row>();
  let total = 0;
  let unnamed_call_count = 0;
  for (const group of database.groups) {
    const sums = await sumCalls(group, days);
    total += sums.all;
    unnamed_call_count += sums.unnamed;
    for (const row of await listVersions(group, days)) {
      const name = `${row.sdk}/${row.version}`;
      const known = rows.get(name);
      rows.set(name, known === undefined ? row : addUp(known, row));
    }
  }
  const listed = [...rows.values()]
    .toSorted((a, b) => b.call_count - a.call_count)
    .slice(0, MAX_SDK_VERSIONS);
  const ids = listed.flatMap(({ games }) => games.map(({ id }) => id));
  const names = await database.query<{ id: string; name: string }>(sql`
    SELECT id, name FROM games WHERE id = ANY(${ids}::uuid[])`);
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  const named = listed.reduce((sum, { call_count }) => sum + call_count, 0);
  return {
    server_version: RELEASE,
    sdk_versions: listed.map((row) => ({
      ...row,
      is_older: isOlder(row.version, RELEASE),
      // A game that is being deleted may have no name any more.
      games: row.games.map((game) => ({ ...game, name: nameOf.get(game.id) ?? '' })),
    })),
    other_call_count: total - named - unnamed_call_count,
    unnamed_call_count,
  };
}

const addUp = (a: Row, b: Row): Row => ({
  ...a,
  call_count: a.call_count + b.call_count,
  last_day: a.last_day > b.last_day ? a.last_day : b.last_day,
  game_count: a.game_count + b.game_count,
  games: [...a.games, ...b.games]
    .toSorted((one, other) => other.call_count - one.call_count)
    .slice(0, MAX_GAMES_OF_VERSION),
});

const isCounted = (days: number) => sql`
  day > (now() AT TIME ZONE 'UTC')::date - ${days}::integer`;

async function sumCalls(group: Queryable, days: number) {
  const row = await group.queryOne<{ all: number; unnamed: number }>(sql`
    SELECT COALESCE(sum(calls), 0)::bigint AS all,
           COALESCE(sum(calls) FILTER (WHERE sdk = ''), 0)::bigint AS unnamed
    FROM sdk_calls
    WHERE ${isCounted(days)}`);
  return row!;
}

/** Lists the versions of a group with the most calls. */
const listVersions = (group: Queryable, days: number) =>
  group.query<Row>(sql`
    WITH called AS (
      SELECT sdk, version, game_id, sum(calls)::bigint AS calls, max(day) AS last_day
      FROM sdk_calls
      WHERE ${isCounted(days)} AND sdk = ANY(${[...SDKS]}::text[])
      GROUP BY sdk, version, game_id
    ), ranked AS (
      SELECT called.*, row_number() OVER (PARTITION BY sdk, version ORDER BY calls DESC, game_id) AS place
      FROM called
    )
    SELECT sdk, version, sum(calls)::bigint AS call_count, max(last_day)::text AS last_day,
           count(*) AS game_count,
           json_agg(json_build_object('id', game_id, 'call_count', calls) ORDER BY place)
             FILTER (WHERE place <= ${MAX_GAMES_OF_VERSION}) AS games
    FROM ranked
    GROUP BY sdk, version
    ORDER BY call_count DESC, sdk, version
    LIMIT ${10 * MAX_SDK_VERSIONS}`);
