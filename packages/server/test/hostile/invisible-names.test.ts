import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findNameProblem } from '@overworld/contract/names';
import { OPERATIONS } from '@overworld/contract/operations';
import type { Operation } from '@overworld/contract/operation';
import { sql } from '../../src/platform/database/sql.ts';
import { makeTarget, takeSome, validBody } from './hostile-requests.ts';
import type { Target } from './hostile-requests.ts';

/** Sends names that nobody can see, to all operations that give a name to something. */

let target: Target;
before(async () => {
  target = await makeTarget({ RATE_LIMIT_PER_MINUTE: '100000' });
});
after(() => target.server.close());

const INVISIBLE = [
  ' ',
  '\t\n',
  '\u00a0\u3000',
  '\u200b',
  '\u2060\ufeff',
  '\u202e',
  '\u00ad',
  '\u0001',
  '\u0301',
  '\ufe0f',
  '\u115f\u1160\u3164\uffa0',
  '\u2800',
  '\u{e0041}\u{e007f}',
  '\u{1d159}',
  '.',
  '..',
];

/**
 * The members of bodies and paths that give names, by operation. `a.0.b` is a member of the first entry of a
 * list, and `*` the first key of an object.
 */
const NAMES: Record<string, readonly string[]> = {
  addPlayerTag: ['player_id', 'tag'],
  pinCard: ['title'],
  claimMessage: ['player_id'],
  createAccessToken: ['name'],
  changeStats: ['player_id'],
  createAchievement: ['key', 'name'],
  createAlert: ['name'],
  createApiKey: ['name'],
  createConfigSchedule: ['name', 'parameters.*'],
  createDashboard: ['name'],
  createExperiment: ['name', 'variants.0.name'],
  createGame: ['name'],
  createMessageSchedule: ['title', 'rewards.0.key'],
  createStat: ['key', 'name'],
  addPasskey: ['name'],
  identifyPlayer: ['player_id'],
  logInPlayer: ['player_id'],
  postMessage: ['title', 'rewards.0.key'],
  putEventSchema: ['event_name'],
  putGameConfig: ['parameters.*'],
  putLeaderboard: ['board_name'],
  putMetric: ['metric_key', 'name'],
  putSave: ['player_id'],
  putSavedReport: ['name'],
  renamePasskey: ['name'],
  readMessage: ['player_id'],
  sendMessage: ['title', 'rewards.0.key'],
  submitScore: ['board_name', 'player_id'],
  tagSegment: ['tag'],
  unlockAchievement: ['player_id'],
  updateAchievement: ['name'],
  updateMessageSchedule: ['title'],
  putAlert: ['name'],
  updateConfigSchedule: ['name'],
  updateDashboard: ['name'],
  updateExperiment: ['name'],
  updateGame: ['name'],
  updatePlayer: ['add_tags.0'],
  updateRelease: ['name'],
  updateStat: ['name'],
};

function setMember(body: unknown, [first, ...rest]: readonly string[], name: string): unknown {
  if (first === undefined) return name;
  if (Array.isArray(body)) {
    return body.with(Number(first), setMember(body[Number(first)], rest, name));
  }
  const members = body as Record<string, unknown>;
  if (first === '*') return { [name]: Object.values(members)[0] };
  return { ...members, [first]: setMember(members[first] ?? [], rest, name) };
}

const isInPath = ({ params }: Operation, field: string) =>
  Object.hasOwn(params?.properties ?? {}, field);

/** Lists the members of a schema's object that give names. */
const listNames = (schema: { properties?: object } | undefined) =>
  Object.entries(schema?.properties ?? {})
    .filter(([, member]) => (member as { format?: string }).format === 'name')
    .map(([name]) => name);

describe('a name that nobody can see, or that no address can name, is refused by its field', () => {
  for (const operation of OPERATIONS.filter(({ id }) => Object.hasOwn(NAMES, id))) {
    test(operation.id, async () => {
      for (const field of NAMES[operation.id]!) {
        for (const name of takeSome(INVISIBLE)) {
          const inPath = isInPath(operation, field);
          // A client would take `.` out of the path.
          if (inPath && /^\.+$/.test(name)) continue;
          const path = target.makePath(
            operation,
            inPath ? { [field]: encodeURIComponent(name) } : {},
          );
          const sample = operation.body && validBody(operation);
          const body = inPath ? sample : setMember(sample, field.split('.'), name);
          const answer = await target.send(operation, path, { body });
          const shown = `${operation.id} ${field} ${JSON.stringify(name)}: ${answer.text}`;
          assert.equal(answer.status, 400, shown);
          const [last = ''] = field
            .split('.')
            .filter((part) => /^[a-z_]{2,}$/.test(part))
            .slice(-1);
          assert.ok(answer.body.error.includes(last), shown);
        }
      }
    });
  }

  test('the operations above are all that give names', () => {
    const ids = OPERATIONS.map(({ id }) => id);
    for (const id of Object.keys(NAMES)) assert.ok(ids.includes(id), id);
    for (const { id, params, body } of OPERATIONS) {
      const named = [...listNames(params), ...listNames(body as object | undefined)];
      for (const name of named) assert.ok(NAMES[id]?.includes(name), `${id}: ${name}`);
    }
  });
});

test('a name may have marks, joiners and spaces beside characters that one sees', () => {
  const names = [
    'é',
    'e\u0301',
    '👩\u200d👩\u200d👧',
    '❤\ufe0f',
    'می\u200cخواهم',
    ' a ',
    '…',
    '...',
    '가',
  ];
  for (const name of names) assert.equal(findNameProblem(name), null, name);
  for (const name of INVISIBLE) assert.ok(findNameProblem(name), JSON.stringify(name));
});

test('events with names that nobody can see are stored, because a refusal would cost their batch', async () => {
  const { server, game } = target;
  const [name, player_id] = ['\u200b', '\u3164'];
  const events = [
    { event_name: name, session_id: ' ', player_id },
    { event_name: 'seen', session_id: 's', player_id: 'seen' },
  ];
  const options = { key: game.production_key };
  const tracked = await server.request('POST', '/v1/track', { ...options, body: events });
  assert.equal(tracked.status, 202, tracked.text);
  assert.equal(tracked.body.received, 2);
  const path = `/v1/players/${encodeURIComponent(player_id)}/timeline`;
  const { body } = await server.request('GET', path, options);
  assert.equal(body.events[0].event_name, name);
});

test('rows that got such a name earlier can be read and deleted', async () => {
  const { server, game } = target;
  const { token } = await server.makeAccount({ game_id: game.game_id, role: 'owner' });
  await server.database.ofGame(game.game_id).execute(sql`
    INSERT INTO leaderboards (game_id, board_name) VALUES (${game.game_id}, ${'\u2800'})`);
  await server.database.ofGame(game.game_id).execute(sql`
    INSERT INTO players (game_id, environment, player_id, tags)
    VALUES (${game.game_id}, 'production', ${' '}, ${['\u200b']}::text[])`);
  const board = `/v1/games/${game.game_id}/leaderboards/${encodeURIComponent('\u2800')}`;
  const key = { key: game.production_key };
  const asked = [
    await server.request('GET', board, { token }),
    await server.request('GET', '/v1/leaderboards/%E2%A0%80', key),
    await server.request('GET', '/v1/players/%20', key),
    await server.request('GET', '/v1/saves?player_id=%20', key),
    await server.request('DELETE', '/v1/players/%20/tags/%E2%80%8B', key),
    await server.request('DELETE', board, { token }),
  ];
  assert.deepEqual(
    asked.map(({ status }) => status),
    [200, 200, 200, 404, 204, 204],
    asked.map(({ text }) => text).join('\n'),
  );
});
