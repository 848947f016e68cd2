import assert from 'node:assert/strict';
import type { TestServer } from '../../../../test/harness.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';

/** A player in a list. */
export interface Listed {
  player_id: string;
  name: string | null;
}

/** Makes a game whose players have their names in this property; with null, the players have no names. */
export async function makeNamedGame(
  server: TestServer,
  player_name_property: string | null = 'nick',
) {
  const game = await server.makeGame();
  const { game_id, production_key: key } = game;
  const { token } = await server.makeAccount({ game_id });
  const at = `/v1/games/${game_id}`;
  const set = (property: unknown) =>
    server.request('PATCH', at, { token, body: { player_name_property: property } });
  if (player_name_property !== null) await set(player_name_property);
  return {
    game_id,
    token,
    at,
    set,
    identify: (player_id: string, properties: object) =>
      server.request('POST', '/v1/identify', { key, body: { player_id, properties } }),
    /** Adds players who were last seen long ago, named `old hero <number>`. */
    addOldPlayers: (count: number) =>
      server.database.execute(sql`
        INSERT INTO players
          (game_id, environment, player_id, properties, first_seen_at, last_seen_at)
        SELECT ${game_id}, 'production', 'id-' || number,
               jsonb_build_object('nick', 'Old Hero ' || number, 'other', 'Other ' || number),
               '2026-01-01', timestamptz '2026-01-01' + number * interval '1 second'
        FROM generate_series(1, ${count}::integer) AS number`),
    async find(search: string, further: Record<string, string> = {}): Promise<Listed[]> {
      const query = new URLSearchParams({ search, ...further });
      const answer = await server.request('GET', `${at}/players?${query}`, { token });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.players.map(({ player_id, name }: Listed) => ({ player_id, name }));
    },
    /** Waits until the index is complete. */
    waitForIndex: () =>
      waitUntil('the names are indexed', async () => {
        const row = await server.database.queryOne<{ open: number }>(sql`
          SELECT (SELECT count(*) FROM player_name_changes WHERE game_id = ${game_id})
               + (SELECT count(*) FROM player_name_builds
                  WHERE game_id = ${game_id} AND NOT is_usable) AS open`);
        return row!.open === 0;
      }),
    listIndexed: () =>
      server.database.query<Listed>(sql`
        SELECT player_id, name FROM player_names WHERE game_id = ${game_id} ORDER BY player_id`),
  };
}
