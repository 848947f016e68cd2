import { randomBytes } from 'node:crypto';
import type { Answer, HttpRequest } from '../load/connection.ts';
import { writeRequest } from '../load/connection.ts';
import type { Attack } from './attacker.ts';
import { ATTACKS_ON_PLAYERS } from './attacks-on-players.ts';

const MB = 1024 * 1024;
const UNFINISHED = 1_000;

const post = (path: string, body: unknown, method = 'POST'): HttpRequest => ({
  method,
  path,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const get = (path: string): HttpRequest => ({ method: 'GET', path });
const anyEmail = () => `${randomBytes(6).toString('hex')}@evil.example`;
const withKey = (key: string) => ({ 'x-game-api-key': key });
const withToken = (token: string) => ({ authorization: `Bearer ${token}` });

/**
 * Makes a JSON object with as many members as fit into `bytes`. The names of
 * the members contain escapes, which are cheap to send but costly to parse.
 */
function makeJsonBomb(bytes: number): string {
  const member = (index: number) => `"\\u0061${index.toString(36)}":0`;
  const members: string[] = [];
  for (let length = 60; length < bytes; length += members.at(-1)!.length + 1) {
    members.push(member(members.length));
  }
  return `{"email":"a@evil.example","password":"x",${members.join()}}`;
}

/** Makes a request that announces a body of 1 MB, and leaves out the last byte of the body. */
function makeUnfinished(key: string): Buffer {
  const head =
    'POST /v1/track HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
    `x-game-api-key: ${key}\r\ncontent-length: ${MB}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.alloc(MB - 1, ' ')]);
}

/** Attacks by other games on the same server, whether malicious or just careless, and by strangers. */
export const ATTACKS: readonly Attack[] = [
  {
    name: 'JSON bombs at the login',
    run: (attacker) => {
      const bomb = makeJsonBomb(MB - 100);
      const next = () => post('/v1/auth/login', bomb);
      return attacker.loop({ addresses: 1, clients: 1, next, pause_ms: 1_000 });
    },
  },
  {
    name: 'tracks of 8 MB',
    run: (attacker) => {
      const event = { event_name: 'e', session_id: 's', properties: { a: 1, b: 'two', c: [3] } };
      const text = JSON.stringify(Array.from({ length: 110_000 }, () => event));
      const headers = () => withKey(attacker.scene.keys[0]!);
      const next = () => post('/v1/track', text);
      return attacker.loop({ addresses: 1, clients: 4, headers, next });
    },
  },
  {
    name: 'accounts that change their passwords',
    run: (attacker) => {
      // A change of the password ends all sessions of the account. The first
      // two accounts are left out, because later attacks need their sessions.
      const people = attacker.scene.strangers.slice(2).map((stranger) => ({ ...stranger }));
      return attacker.loop({
        addresses: 1,
        clients: people.length,
        next: (client, last) => {
          const person = people[client]!;
          if (last?.status === 200) person.token = JSON.parse(last.body).token;
          const { password: current_password, token } = person;
          const body = { current_password, new_password: current_password };
          return { ...post('/v1/auth/change-password', body), headers: withToken(token) };
        },
      });
    },
  },
  {
    name: 'registrations',
    run: (attacker) => {
      const next = () =>
        post('/v1/auth/register', { email: anyEmail(), password: 'lanterns over paper hills' });
      return attacker.loop({ addresses: 4, clients: 40, next });
    },
  },
  {
    name: 'mails for forgotten passwords',
    run: (attacker) => {
      const { email } = attacker.scene.strangers[0]!;
      const next = (client: number) =>
        post('/v1/auth/forgot-password', { email: client % 2 === 0 ? email : anyEmail() });
      return attacker.loop({ addresses: 4, clients: 20, next });
    },
  },
  {
    name: 'exports that nobody reads',
    run: ({ hold, scene }) => {
      const path = `/v1/games/${scene.game_id}/events/export`;
      const text = writeRequest({ ...get(path), headers: withToken(scene.strangers[0]!.token) });
      return hold({ addresses: 1, connections: 40, text });
    },
  },
  {
    name: '40 reports at a time of one account',
    run: (attacker) => {
      const { game_id, strangers } = attacker.scene;
      const steps = encodeURIComponent(
        JSON.stringify(['step-0', 'step-1', 'step-2'].map((event_name) => ({ event_name }))),
      );
      const base = `/v1/games/${game_id}/analytics`;
      const next = (client: number) =>
        client % 2 === 0
          ? get(`${base}/funnel?environment=production&steps=${steps}`)
          : get(`${base}/breakdown?environment=production&event_name=step-0&group_by=level`);
      const headers = () => withToken(strangers[0]!.token);
      return attacker.loop({ addresses: 1, clients: 40, headers, next });
    },
  },
  {
    name: '1,000 bodies of 1 MB that never end',
    run: ({ hold, scene }) =>
      hold({
        addresses: 1,
        connections: UNFINISHED,
        text: makeUnfinished(scene.keys[0]!),
        reads: true,
      }),
  },
  {
    name: 'thousands of idle connections',
    run: ({ hold }) => hold({ addresses: 4, connections: 5_000, text: '', reads: true }),
  },
  {
    name: 'large answers that are not read',
    run: ({ hold }) => {
      const text = writeRequest(get('/v1/openapi.json'));
      return hold({ addresses: 8, connections: 2_000, text });
    },
  },
  {
    name: 'requests sent ahead, with bodies',
    run: ({ hold, scene }) => {
      const events = Array.from({ length: 100 }, () => ({
        event_name: 'e',
        session_id: 's',
        properties: { text: 'x'.repeat(500) },
      }));
      const text = writeRequest(post('/v1/track', events), `x-game-api-key: ${scene.keys[0]!}\r\n`);
      return hold({ addresses: 1, connections: 900, text: text.repeat(9) });
    },
  },
  {
    name: 'a key at ten times its rate',
    run: (attacker) => {
      const headers = () => withKey(attacker.scene.keys[0]!);
      const event = { event_name: 'e', session_id: 's', player_id: 'p' };
      const next = () => post('/v1/track', event);
      return attacker.loop({ addresses: 1, clients: 32, headers, next, pause_ms: 190 });
    },
  },
  {
    // Without a limit for each player, this player would use up the limit of the key in seconds.
    name: 'a player at more than ten times the share',
    is_of_player: true,
    run: (attacker) => {
      const headers = () => withKey(attacker.scene.honest.keys[0]!);
      const player_id = 'a player whose copy went wrong';
      const event = { event_name: 'e', session_id: 's', player_id };
      const next = (client: number) =>
        client % 2 === 0
          ? post('/v1/track', event)
          : get(`/v1/saves?player_id=${encodeURIComponent(player_id)}`);
      return attacker.loop({ addresses: 1, clients: 32, headers, next });
    },
  },
  {
    name: 'a flood with wrong keys',
    run: (attacker) => {
      const headers = () => withKey(`ow_live_${randomBytes(24).toString('base64url')}`);
      return attacker.loop({
        addresses: 4,
        clients: 64,
        headers,
        next: () => get('/v1/config'),
      });
    },
  },
  {
    name: 'a flood without keys',
    run: (attacker) =>
      attacker.loop({ addresses: 4, clients: 64, next: () => get('/v1/auth/options') }),
  },
  {
    name: 'saves of 100 KB on the Free tier',
    run: (attacker) => {
      const data = { bag: 'x'.repeat(102_000) };
      const { keys } = attacker.scene;
      const headers = (client: number) => withKey(keys[client % keys.length]!);
      const next = () => {
        const player_id = `hoarder-${randomBytes(8).toString('hex')}`;
        return post('/v1/saves', { player_id, data }, 'PUT');
      };
      return attacker.loop({ addresses: 4, clients: 24, headers, next });
    },
  },
  {
    name: 'games and invitations without end',
    run: (attacker) => {
      const { game_id, strangers } = attacker.scene;
      const headers = (client: number) => withToken(strangers[client % 2]!.token);
      const next = (client: number) =>
        client % 2 === 1
          ? post('/v1/games', { name: 'Another' })
          : post(`/v1/games/${game_id}/invitations`, { email: anyEmail(), role: 'viewer' });
      return attacker.loop({ addresses: 1, clients: 16, headers, next });
    },
  },
  {
    name: 'many boards and large pages',
    run: (attacker) => {
      const { keys } = attacker.scene;
      const headers = (client: number) => withKey(keys[client % keys.length]!);
      let sent = 0;
      const submit = (board_name: string, player_id: string, bytes: number) =>
        post('/v1/leaderboards', {
          board_name,
          player_id,
          score: sent,
          metadata: { text: 'x'.repeat(bytes) },
        });
      const next = (client: number) => {
        sent += 1;
        switch (client % 4) {
          case 0:
            return submit(`board-${sent}`, `p-${client}`, 1_000);
          case 1:
            return submit('large', `p-${sent % 500}`, 8_000);
          case 2:
            return get(`/v1/leaderboards/large?limit=100&offset=${sent % 50}`);
          default:
            return get(`/v1/leaderboards/board-${sent - 20}?limit=100`);
        }
      };
      return attacker.loop({ addresses: 4, clients: 24, headers, next });
    },
  },
  ...ATTACKS_ON_PLAYERS,
  {
    name: 'the long history of one player',
    run: (attacker) => {
      const { keys, game_id, strangers } = attacker.scene;
      const player = '/v1/players/veteran';
      const ofGame = `?game_id=${game_id}&environment=production`;
      const headers = (client: number) =>
        client % 4 === 3 ? withToken(strangers[0]!.token) : withKey(keys[client % 4]!);
      const next = (client: number, last: Answer | null) => {
        const { next_cursor = null } = last?.status === 200 ? JSON.parse(last.body) : {};
        switch (client % 4) {
          case 0:
            return get(`${player}/timeline?limit=500&offset=94999`);
          case 1:
            return get(
              `${player}/timeline?limit=500&offset=4500${next_cursor ? `&cursor=${next_cursor}` : ''}`,
            );
          case 2:
            return get(player);
          default:
            return get(`${player}${ofGame}`);
        }
      };
      return attacker.loop({ addresses: 1, clients: 32, headers, next });
    },
  },
];
