import assert from 'node:assert/strict';
import type { TestServer } from '../../../../test/harness.ts';

export type StoryGame = Awaited<ReturnType<typeof makeStoryGame>>;

/** Makes a game with members who read the story of its player `p`. */
export async function makeStoryGame(server: TestServer) {
  const { game_id, production_key: key } = await server.makeGame();
  const { token: developer } = await server.makeAccount({ game_id, role: 'developer' });
  const { token: viewer } = await server.makeAccount({ game_id, role: 'viewer' });

  /** @param rest The rest of the URL after `/story`. */
  const story = (rest = '', token = developer, player_id = 'p') =>
    server.request('GET', `/v1/games/${game_id}/players/${player_id}/story${rest}`, { token });

  const play = async (method: string, path: string, body: object) => {
    const answer = await server.request(method, path, { key, body });
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    return answer.body;
  };
  const steer = async (method: string, path: string, body?: object) => {
    const url = `/v1/games/${game_id}${path}`;
    const answer = await server.request(method, url, { token: developer, body });
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
  };
  const track = (session_id: string, event_names: string[], client_timestamp?: string) => {
    const session = { session_id, player_id: 'p', client_timestamp };
    const events = event_names.map((event_name) => ({ event_name, ...session }));
    return play('POST', '/v1/track', events);
  };

  /** Lets the player do something that appears in the story, for every kind of entry. */
  async function live() {
    await steer('POST', '/achievements', { key: 'first', name: 'First Steps', points: 5 });
    await steer('PUT', '/leaderboards/logged', { keeps_ledger: true });
    await play('POST', '/v1/players/login', {
      provider: 'device',
      device_id: 'phone of p',
      secret: 'x'.repeat(43),
      player_id: 'p',
    });
    await track('s1', ['start', 'fight', 'win']);
    await play('PUT', '/v1/saves', { player_id: 'p', data: { gold: 1 } });
    await play('PUT', '/v1/saves', { player_id: 'p', slot: 'b', data: { gold: 2 } });
    await server.request('DELETE', '/v1/saves?player_id=p&slot=b', { key });
    await play('POST', '/v1/achievements/unlock', { player_id: 'p', achievement_key: 'first' });
    for (const board_name of ['plain', 'logged']) {
      for (const score of [10, 5, 20]) {
        await play('POST', '/v1/leaderboards', { player_id: 'p', board_name, score });
      }
    }
    await track('s2', ['start']);
    await steer('PATCH', '/players/p', { add_tags: ['vip'] });
    const rewards = [{ type: 'item', key: 'coins', quantity: 50 }];
    const sent = await server.request('POST', `/v1/games/${game_id}/messages`, {
      token: developer,
      body: { to: { type: 'player', player_id: 'p' }, title: 'Sorry', rewards },
    });
    await play('POST', `/v1/messages/${sent.body.id}/claim`, { player_id: 'p' });
    await steer('DELETE', '/players/p/achievements/first');
    await steer('POST', '/players/p/achievements/first');
  }

  return { game_id, key, developer, viewer, story, play, steer, track, live };
}
