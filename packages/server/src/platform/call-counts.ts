import { SDK_HEADER, SDKS } from '@overworld/contract/games/sdk-versions';
import type { IncomingHttpHeaders } from 'node:http';
import type { KeyCaller } from './auth/api-keys.ts';
import type { GroupedDatabase } from './database/game-groups.ts';
import { forRowsOfEachGroup } from './database/group-rows.ts';
import { rowsAs, sql } from './database/sql.ts';
import { RELEASE } from './release.ts';
import type { Database } from './database/database.ts';
import type { PlayerCall } from './players/player-call.ts';

/** The name under which calls are counted whose version is invalid, or one too many. */
export const OTHER = 'other';

/**
 * The largest number of versions that an environment counts alone in a day. Everybody can read the key of a
 * game and invent versions, but no game has this many. The server's own release is always counted alone.
 */
const MAX_VERSIONS = 50;
/**
 * The largest number of versions that are kept in memory for a key between two flushes. It is far above
 * MAX_VERSIONS, so that invented versions do not displace those that the day has already.
 */
const MAX_NOTED = 1_000;

const NAMED = new RegExp(`^(${SDKS.join('|')})/(\\d{1,4}(?:\\.\\d{1,4}){2}(?:-[\\w.]{1,16})?)$`);

const SDK_COLUMNS = {
  game_id: 'uuid',
  environment: 'environment',
  sdk: 'text',
  version: 'text',
  calls: 'bigint',
} as const;

/** Counts the calls of each API key by the SDK that they name. */
export function createSdkCounts(database: GroupedDatabase) {
  // A caller is the same object for as long as its key stays in memory. Each inner map has the counts by the
  // text of the header, with at most MAX_NOTED texts and those of the three other rows.
  let counted = new Map<KeyCaller, Map<string, number>>();

  const nameToCount = (counts: Map<string, number>, header: string): string => {
    const version = NAMED.exec(header)?.[2];
    if (version === undefined) return OTHER;
    return counts.size < MAX_NOTED || version === RELEASE ? header : OTHER;
  };

  return {
    note(caller: KeyCaller, headers: IncomingHttpHeaders) {
      let counts = counted.get(caller);
      if (counts === undefined) {
        counts = new Map();
        counted.set(caller, counts);
      }
      const given = headers[SDK_HEADER];
      const header = typeof given === 'string' ? given : '';
      const name = header === '' || counts.has(header) ? header : nameToCount(counts, header);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    /** Adds the counts to those of the day; called by a timer and at shutdown. */
    async flush() {
      const rows = Array.from(counted).flatMap(([{ game_id, environment }, counts]) =>
        Array.from(counts, ([name, calls]) => {
          const [sdk = '', version = ''] = name.split('/');
          return { game_id, environment, sdk, version, calls };
        }),
      );
      counted = new Map();
      await forRowsOfEachGroup(database, rows, (group, noted) =>
        group.execute(sql`
          WITH noted AS MATERIALIZED (
            SELECT game_id, environment, (now() AT TIME ZONE 'UTC')::date AS day, sdk, version,
                   sum(calls) AS calls
            FROM ${rowsAs('noted', noted, SDK_COLUMNS)}
            GROUP BY game_id, environment, sdk, version
          ), judged AS (
            SELECT noted.*, known.calls IS NULL AS is_new,
                   (SELECT count(*) FROM sdk_calls AS of_day
                    WHERE of_day.game_id = noted.game_id
                      AND of_day.environment = noted.environment
                      AND of_day.day = noted.day) AS known_count
            FROM noted
            LEFT JOIN sdk_calls AS known USING (game_id, environment, day, sdk, version)
          ), placed AS (
            SELECT judged.*,
                   known_count + count(*) FILTER (WHERE is_new)
                     OVER (PARTITION BY game_id, environment ORDER BY calls DESC, sdk, version)
                     > ${MAX_VERSIONS} AND is_new
                     AND sdk <> '' AND version <> ${RELEASE} AS is_other
            FROM judged
          )
          INSERT INTO sdk_calls AS counts
          SELECT game_id, environment, day, CASE WHEN is_other THEN ${OTHER} ELSE sdk END AS name,
                 CASE WHEN is_other THEN '' ELSE version END AS of_name, sum(calls)
          FROM placed
          GROUP BY game_id, environment, day, name, of_name
          ORDER BY game_id, environment, day, name, of_name
          ON CONFLICT (game_id, environment, day, sdk, version) DO UPDATE
          SET calls = counts.calls + EXCLUDED.calls`),
      );
    },
  };
}

/** The counts of calls by SDK and version. */
export type SdkCounts = ReturnType<typeof createSdkCounts>;

interface Counts {
  with_token: number;
  without_token: number;
}

const TOKEN_COLUMNS = {
  game_id: 'uuid',
  environment: 'environment',
  with_token: 'bigint',
  without_token: 'bigint',
} as const;

export function createCallCounts(database: GroupedDatabase) {
  // A caller is the same object for as long as its key stays in memory, so a look-up takes only
  // nanoseconds.
  let counted = new Map<KeyCaller, Counts>();
  return {
    note({ caller, player_id }: PlayerCall) {
      let counts = counted.get(caller);
      if (counts === undefined) {
        counts = { with_token: 0, without_token: 0 };
        counted.set(caller, counts);
      }
      if (player_id === null) counts.without_token++;
      else counts.with_token++;
    },
    /** Adds the counts to those of the current hour; called by a timer and at shutdown. */
    async flush() {
      const rows = Array.from(counted, ([{ game_id, environment }, counts]) => ({
        game_id,
        environment,
        ...counts,
      }));
      counted = new Map();
      await forRowsOfEachGroup(database, rows, (group, noted) =>
        group.execute(sql`
          INSERT INTO player_call_counts AS counts
          SELECT game_id, environment, date_trunc('hour', now()), sum(with_token),
                 sum(without_token)
          FROM ${rowsAs('noted', noted, TOKEN_COLUMNS)}
          GROUP BY game_id, environment
          ORDER BY game_id, environment
          ON CONFLICT (game_id, environment, hour) DO UPDATE
          SET with_token = counts.with_token + EXCLUDED.with_token,
              without_token = counts.without_token + EXCLUDED.without_token`),
      );
    },
  };
}

/** The counts of calls about players, with and without a player token. */
export type CallCounts = ReturnType<typeof createCallCounts>;

/** Deletes the counts of hours that ended more than a day ago. */
export async function deleteOldCallCounts(database: Database): Promise<void> {
  await database.execute(sql`
    DELETE FROM player_call_counts WHERE hour < now() - interval '25 hours'`);
}
