import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';

/** The value of each statistic that a call changes, by its key. */
type Changes = Readonly<Record<string, unknown>>;

interface ChangeOptions {
  key?: string;
  headers?: Record<string, string>;
  node?: TestServer;
}

/** A game whose developer defines statistics. */
export interface StatStudio extends TestGame {
  token: string;
  /** Makes a call below the path of the game, with the token of the developer. */
  steer(method: string, path: string, body?: unknown): Promise<TestAnswer>;
  /** Changes statistics as the game does. */
  change(player_id: string, changes: Changes, options?: ChangeOptions): Promise<TestAnswer>;
  /** Reads the values of a player that are not null, by key. */
  valuesOf(player_id: string): Promise<Record<string, number>>;
  /** Moves all changes, or those of one player, into the past, as if they had been made then. */
  makeOlder(hours: number, player_id?: string): Promise<void>;
  /** Reads the rows by which the values are kept, and checks that the values are what they join to. */
  listHours(player_id: string): Promise<{ key: string; value: number }[]>;
}

/** Makes a game with statistics. Each has an aggregation, or more fields. */
export async function makeStatStudio(
  server: TestServer,
  stats: Readonly<Record<string, string | object>> = {},
): Promise<StatStudio> {
  const game = await server.makeGame();
  const { game_id } = game;
  const { token } = await server.makeAccount({ game_id, role: 'developer' });
  const steer: StatStudio['steer'] = (method, path, body) =>
    server.request(method, `/v1/games/${game_id}${path}`, { token, body });
  for (const [key, given] of Object.entries(stats)) {
    const fields = typeof given === 'string' ? { aggregation: given } : given;
    const make = () => steer('POST', '/stats', { key, name: key, ...fields });
    let made = await make();
    // The events of the game are being counted for the statistic before.
    for (; made.status === 503; made = await make()) await sleep(50);
    assert.equal(made.status, 201, made.text);
  }
  return {
    ...game,
    token,
    steer,
    change: (player_id, changes, { key = game.production_key, headers, node = server } = {}) =>
      node.request('POST', '/v1/stats', {
        key,
        headers,
        body: {
          player_id,
          changes: Object.entries(changes).map(([name, value]) => ({ key: name, value })),
        },
      }),
    async valuesOf(player_id) {
      const path = `/v1/stats?player_id=${encodeURIComponent(player_id)}`;
      const { status, body, text } = await server.request('GET', path, {
        key: game.production_key,
      });
      assert.equal(status, 200, text);
      const listed = body.stats as { key: string; value: number | null }[];
      return Object.fromEntries(
        listed.flatMap(({ key, value }) => (value === null ? [] : [[key, value]])),
      );
    },
    async makeOlder(hours, player_id) {
      // On a cluster, a difference of timestamptz must not be in the list of an UPDATE.
      const earlier = (column: Sql) => sql`${column} = (${column} AT TIME ZONE 'UTC'
        - make_interval(hours => ${hours})) AT TIME ZONE 'UTC'`;
      const of_player = sql`game_id = ${game_id}
        AND (${player_id ?? null}::text IS NULL OR player_id = ${player_id ?? null})`;
      await server.database.execute(sql`
        UPDATE player_stat_hours SET ${earlier(sql`hour`)}, ${earlier(sql`changed_at`)}
        WHERE ${of_player}`);
      await server.database.execute(sql`
        UPDATE player_stats SET ${earlier(sql`base_at`)}, ${earlier(sql`changed_at`)}
        WHERE ${of_player}`);
    },
    async listHours(player_id) {
      const rows = await server.database.query<{ key: string; value: number }>(sql`
        SELECT key, value::float8 AS value FROM player_stat_hours
        WHERE game_id = ${game_id} AND player_id = ${player_id}
        ORDER BY key, hour`);
      await checkJoins(server, game_id);
      return rows;
    },
  };
}

/** Checks that each value is what its base and its hours join to by the aggregation. */
async function checkJoins(server: TestServer, game_id: string): Promise<void> {
  const wrong = await server.database.query(sql`
    SELECT had.player_id, had.key, had.value, joined.value AS joined
    FROM player_stats AS had
    CROSS JOIN LATERAL (
      SELECT CASE had.aggregation
               WHEN 'sum' THEN sum(part.value)
               WHEN 'max' THEN max(part.value)
               WHEN 'min' THEN min(part.value)
               ELSE (array_agg(part.value ORDER BY part.changed_at DESC))[1]
             END AS value
      FROM (
        SELECT had.base AS value, had.base_at AS changed_at WHERE had.base IS NOT NULL
        UNION ALL
        SELECT hours.value, hours.changed_at FROM player_stat_hours AS hours
        WHERE hours.game_id = had.game_id AND hours.environment = had.environment
          AND hours.player_id = had.player_id AND hours.key = had.key
      ) AS part
    ) AS joined
    WHERE had.game_id = ${game_id} AND had.value IS DISTINCT FROM joined.value`);
  assert.deepEqual(wrong, []);
}
