import assert from 'node:assert/strict';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';

/**
 * Makes a game with these players. Each player was last seen a second after the previous player in the list.
 */
export async function makeGameWith(
  server: TestServer,
  players: { id: string; properties?: string; tags?: string[] }[],
) {
  const { game_id } = await server.makeGame();
  await server.database.execute(sql`
    INSERT INTO players (game_id, environment, player_id, properties, first_seen_at, last_seen_at)
    SELECT ${game_id}, 'production', id, properties,
           timestamptz '2026-03-01' - number * interval '1 second',
           timestamptz '2026-03-01' + number * interval '1.000001 second'
    FROM unnest(${players.map(({ id }) => id)}::text[],
                ${players.map(({ properties }) => properties ?? '{}')}::jsonb[])
      WITH ORDINALITY AS player (id, properties, number)`);
  for (const { id, tags } of players) {
    if (tags) {
      await server.database.execute(
        sql`UPDATE players SET tags = ${tags} WHERE game_id = ${game_id} AND player_id = ${id}`,
      );
    }
  }
  const member = await server.makeAccount({ game_id, role: 'viewer' });
  const list = (query: Record<string, string> | [string, string][] = {}) =>
    server.request('GET', `/v1/games/${game_id}/players?${new URLSearchParams(query)}`, {
      token: member.token,
    });
  const ids = async (query: Record<string, string> | [string, string][] = {}) => {
    const answer = await list(query);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.players.map(({ player_id }: { player_id: string }) => player_id);
  };
  return { game_id, list, ids };
}
