import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import type { Reward } from '@overworld/contract/messages/message-fields';
import {
  MAX_MESSAGE_DATA_BYTES,
  MAX_OWN_MESSAGES,
  MAX_REWARDS,
  MAX_SHARED_MESSAGES,
} from '@overworld/contract/messages/message-limits';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';
import { getLimitUses } from '../../platform/limits/use-store.ts';
import { deleteOldMessages } from './cleanup.ts';
import { sendToPlayers } from './send-to-players.ts';
import { COINS, makeMessageGame } from './test/message-game.ts';
import type { MessageGame } from './test/message-game.ts';

let server: TestServer;
let game: MessageGame;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(async () => {
  game = await makeMessageGame(server);
});

const everyone = { type: 'everyone' };
const item = COINS[0]!;

test('a wrong message is refused with the name of the field, and nothing is sent', async () => {
  await game.identify('ann');
  const refusals: [object, number, RegExp][] = [
    [{ to: { type: 'player' } }, 400, /^to\.player_id is required/],
    [{ to: { type: 'player', player_id: 'nobody' } }, 404, /^Player not found/],
    [{ to: { type: 'everyone', player_id: 'ann' } }, 400, /^to\.player_id is not allowed/],
    [{ to: { type: 'everyone', has_tags: ['a'] } }, 400, /^to\.has_tags is not allowed/],
    [{ to: { type: 'segment' } }, 400, /^to must state/],
    [{ to: { type: 'segment', segment: 'none' } }, 404, /^Segment not found/],
    [{ to: { type: 'segment', has_tags: [' '] } }, 400, /^to\.has_tags\[0\] must not be empty/],
    [
      { to: { type: 'segment', properties: [{ property: 'a', operator: 'gt', value: true }] } },
      400,
      /^to\.properties\[0\]\.value/,
    ],
    [{ to: { ...everyone, more: 1 } }, 400, /^to\.more is not allowed/],
    [{ title: ' ' }, 400, /^title must not be empty/],
    [{ text: 'x'.repeat(4_001) }, 400, /^text must have at most/],
    [{ translations: { DE: { title: 'a' } } }, 400, /^translations\.DE must be written as de/],
    [{ translations: { de: { titel: 'a' } } }, 400, /^translations\.de\.titel is not allowed/],
    [{ rewards: [{ type: 'gift', key: 'a' }] }, 400, /^rewards\[0\]\.type must be one of/],
    [{ rewards: [{ type: 'item', key: 'a' }] }, 400, /^rewards\[0\]\.quantity is required/],
    [{ rewards: [{ ...item, quantity: 0 }] }, 400, /^rewards\[0\]\.quantity must be at least 1/],
    [{ rewards: [{ ...item, quantity: 1.5 }] }, 400, /^rewards\[0\]\.quantity must be a whole/],
    [{ rewards: [{ ...item, quantity: 2 ** 53 }] }, 400, /^rewards\[0\]\.quantity must be at most/],
    [
      { rewards: [item, { type: 'achievement', key: 'none' }] },
      400,
      /^rewards\[1\]\.key names no achievement/,
    ],
    [
      { rewards: [{ type: 'achievement', key: 'a', quantity: 1 }] },
      400,
      /^rewards\[0\]\.quantity is not allowed/,
    ],
    [{ rewards: [{ type: 'stat', key: 'a' }] }, 400, /^rewards\[0\]\.value is required/],
    [{ rewards: [{ type: 'stat', key: 'a', value: 1e-7 }] }, 400, /^rewards\[0\]\.value must have/],
    [
      { rewards: [{ type: 'stat', key: 'a', value: 2 ** 53 }] },
      400,
      /^rewards\[0\]\.value must be/,
    ],
    [{ rewards: [{ type: 'stat', key: 'a', value: 1 }] }, 400, /^rewards\[0\]\.key names no stat/],
    [{ rewards: [{ ...item, value: 1 }] }, 400, /^rewards\[0\]\.value is not allowed/],
    [
      { rewards: Array.from({ length: MAX_REWARDS + 1 }, () => item) },
      400,
      /^rewards must have at most/,
    ],
    [{ data: { text: 'x'.repeat(MAX_MESSAGE_DATA_BYTES) } }, 413, /^data has more than/],
    [
      { rewards: [{ ...item, data: { text: 'x'.repeat(MAX_MESSAGE_DATA_BYTES) } }] },
      413,
      /^rewards\[0\]\.data has more than/,
    ],
    [
      {
        rewards: Array.from({ length: 5 }, () => ({ ...item, data: { text: 'x'.repeat(4_000) } })),
      },
      413,
      /^rewards has more than 16,384 bytes/,
    ],
    [{ data: [] }, 400, /^data must be a JSON object/],
    [{ starts_at: '2026-02-30T00:00:00Z' }, 400, /^starts_at must be a time/],
    [{ ends_at: '2020-01-01T00:00:00Z' }, 400, /^ends_at must be in the future/],
    [
      { starts_at: '2099-01-02T00:00:00Z', ends_at: '2099-01-01T00:00:00Z' },
      400,
      /^ends_at must be after starts_at/,
    ],
    [{ reason: 'x'.repeat(501) }, 400, /^reason must have at most/],
  ];
  for (const [members, status, words] of refusals) {
    const sent = { to: everyone, title: 'T', ...members };
    const answer = await game.steer('POST', '/messages', sent);
    assert.equal(answer.status, status, `${JSON.stringify(members)}: ${answer.text}`);
    assert.match(answer.body.error, words);
  }
  assert.deepEqual((await game.steer('GET', '/messages')).body.messages, []);
});

test('a server key sends messages, and a client key does not', async () => {
  await game.identify('ann');
  const body = {
    to: { type: 'player', player_id: 'ann' },
    title: 'From our server',
    rewards: COINS,
  };
  const sent = await server.request('POST', '/v1/messages', { key: game.server_key, body });
  assert.equal(sent.status, 201, sent.text);
  assert.equal(sent.body.sent_by, null);
  assert.deepEqual(await game.titles('ann'), ['From our server']);
  assert.equal((await game.play('POST', '/v1/messages', body)).status, 403);
});

test('a server key recalls messages of its environment, and a client key does not', async () => {
  await game.identify('ann');
  const ids = [await game.send(everyone), await game.send({ type: 'player', player_id: 'ann' })];
  const recall = (key: string, id: string) =>
    server.request('POST', `/v1/messages/${id}/recall`, { key });
  for (const id of ids) {
    assert.equal((await recall(game.production_key, id)).status, 403);
    const other = await server.makeKey(game.game_id, 'development', 'server');
    assert.equal((await recall(other, id)).status, 404);
    const { status, body, text } = await recall(game.server_key, id);
    assert.equal(status, 200, text);
    assert.equal((await recall(game.server_key, id)).body.recalled_at, body.recalled_at);
  }
  assert.deepEqual(await game.titles('ann'), []);
  const { body } = await game.steer('GET', '/audit-log');
  const recalls = body.audit_log.filter(
    ({ action }: { action: string }) => action === 'recall_message',
  );
  assert.deepEqual(
    recalls.map(({ target, account_email }: Record<string, unknown>) => [target, account_email]),
    ids.toReversed().map((id) => [id, null]),
  );
  assert.ok(recalls.every(({ details }: { details: object }) => 'key_id' in details));
});

test('a message whose id was sent before is not sent again', async () => {
  const id = '3f0f7a52-0000-4000-8000-0123456789ab';
  const body = { id, to: everyone, title: 'Once' };
  const answers = await Promise.all([1, 2, 3].map(() => game.steer('POST', '/messages', body)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 201]);
  assert.deepEqual(await game.titles('ann'), ['Once']);
  const wrong = await game.steer('POST', '/messages', { ...body, id: 'x' });
  assert.equal(wrong.status, 400);
});

test('sending and recalling are in the audit log, and only developers may do it', async () => {
  await game.identify('ann');
  const to = { type: 'player', player_id: 'ann' };
  const message_id = await game.send(to, { reason: 'paid and got nothing' });
  await game.steer('POST', `/messages/${message_id}/recall`);
  const { body } = await game.steer('GET', '/audit-log');
  const tenant = { environment: 'production', player_id: 'ann' };
  assert.deepEqual(
    body.audit_log.map((entry: Record<string, unknown>) => [
      entry.action,
      entry.target,
      entry.details,
    ]),
    [
      ['recall_message', message_id, tenant],
      ['send_message', message_id, { ...tenant, reason: 'paid and got nothing' }],
    ],
  );
  const viewer = await server.makeAccount({ game_id: game.game_id, role: 'viewer' });
  const path = `/v1/games/${game.game_id}/messages`;
  const asViewer = { token: viewer.token, body: { to, title: 'T' } };
  assert.equal((await server.request('POST', path, asViewer)).status, 403);
  const recall = await server.request('POST', `${path}/${message_id}/recall`, viewer);
  assert.equal(recall.status, 403);
  assert.equal((await server.request('GET', path, viewer)).status, 200);
});

test('a preview counts the players and shows some of them', async () => {
  await game.identify('ann', { level: 7 });
  await game.identify('ben', { level: 1 });
  const preview = async (to: object) => {
    const { status, body, text } = await game.steer('POST', '/messages/preview', { to });
    assert.equal(status, 200, text);
    return body;
  };
  const properties = [{ property: 'level', operator: 'gt', value: 5 }];
  assert.deepEqual(await preview({ type: 'segment', properties }), {
    words: 'Players with certain properties, and those who come later',
    players: { count: 1, of: 2 },
    examples: [{ player_id: 'ann', name: null }],
  });
  assert.equal((await preview({ type: 'everyone' })).players.count, 2);
  assert.equal((await preview({ type: 'player', player_id: 'ben' })).players.count, 1);
  const nobody = { to: { type: 'player', player_id: 'nobody' } };
  assert.equal((await game.steer('POST', '/messages/preview', nobody)).status, 404);
  assert.deepEqual((await game.steer('GET', '/messages')).body.messages, []);
});

test('the players behind the counts are listed in pages', async () => {
  const message_id = await game.send(everyone, { rewards: COINS });
  for (const name of ['c', 'a', 'b']) await game.claim(name, message_id);
  await game.play('DELETE', `/v1/messages/${message_id}?player_id=d`);
  const ask = async (query: string) =>
    (await game.steer('GET', `/messages/${message_id}/players?${query}`)).body;
  const first = await ask('state=claimed&limit=2&with_total=true');
  assert.deepEqual(first.total, { count: 3, is_exact: true });
  const second = await ask(`state=claimed&limit=2&cursor=${first.next_cursor}`);
  const ids = [...first.players, ...second.players].map(({ player_id }) => player_id);
  assert.deepEqual(ids, ['a', 'b', 'c']);
  const [{ player_id, claimed_at, deleted_at }] = (await ask('state=deleted')).players;
  assert.deepEqual([player_id, claimed_at], ['d', null]);
  assert.ok(Math.abs(Date.parse(deleted_at) - Date.now()) < 60_000);
});

test(`an environment has at most ${MAX_SHARED_MESSAGES} messages to many, and a player ${MAX_OWN_MESSAGES} own ones`, async () => {
  await game.identify('ann');
  const insert = (player_id: string | null, count: number) =>
    server.database.execute(sql`
      INSERT INTO messages (game_id, environment, message_id, player_id, audience, title, text,
        translations, data, rewards, reason, starts_at, sent_at)
      SELECT ${game.game_id}, 'production', gen_random_uuid(), ${player_id},
             CASE WHEN ${player_id}::text IS NULL THEN '{"type":"everyone"}'::json END,
             'T', '', '{}', '{}', '[]', '', now(), now()
      FROM generate_series(1, ${count}::integer)`);
  await insert(null, MAX_SHARED_MESSAGES - 1);
  await insert('ann', MAX_OWN_MESSAGES - 1);
  for (const to of [everyone, { type: 'player', player_id: 'ann' }]) {
    const answers = await Promise.all(
      [1, 2, 3].map(() => game.steer('POST', '/messages', { to, title: 'T' })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
  }
  await insert('ann', 5);
  assert.equal(
    (await game.list('ann', { limit: '200' })).unread_count,
    MAX_OWN_MESSAGES + MAX_SHARED_MESSAGES,
  );
});

test('a game has a limit of messages, and a sender a share of an hour', async () => {
  await server.database.execute(sql`
    UPDATE games SET limit_overrides = '{"messages":1}' WHERE id = ${game.game_id}`);
  await game.send(everyone);
  const full = await game.steer('POST', '/messages', { to: everyone, title: 'T' });
  assert.deepEqual(
    [full.status, full.body.code, full.body.resource, full.body.used],
    [403, 'LIMIT_REACHED', 'messages', 1],
  );
  await server.database.execute(sql`
    INSERT INTO attempt_counts (action, address, minute_started_at, attempts)
    VALUES ('message', ${`${game.game_id} ${game.account_id}`}, now(), 1000)
    ON CONFLICT (action, address) DO UPDATE SET attempts = 1000`);
  const shared = await game.steer('POST', '/messages', { to: everyone, title: 'T' });
  assert.equal(shared.status, 429);
  assert.match(shared.body.message, /as many as one sender may send in an hour/);
});

test('messages with what players have earned leave room for others', async () => {
  await server.database.execute(sql`
    UPDATE games SET limit_overrides = '{"messages":1}' WHERE id = ${game.game_id}`);
  await game.identify('ann');
  const earned = Array.from({ length: MAX_OWN_MESSAGES }, (_, index) => ({
    game_id: game.game_id,
    environment: 'production' as const,
    player_id: 'ann',
    message_id: randomUUID(),
    title: `Season ${index}`,
    text: '',
    rewards: COINS as Reward[],
    reason: '',
  }));
  await server.database.transaction((tx) => sendToPlayers(tx, earned));
  await game.send({ type: 'player', player_id: 'ann' });
  const uses = await getLimitUses(server.database.ofGame(game.game_id), game.game_id);
  assert.deepEqual(uses.messages, { used: 1, limit: 1 });
});

test('a message that ended or was recalled long ago is deleted with its states', async () => {
  const [old, kept] = [
    await game.send(everyone, { rewards: COINS }),
    await game.send(everyone, { rewards: COINS }),
  ];
  for (const id of [old, kept]) await game.claim('ann', id);
  await server.database.execute(sql`
    UPDATE messages SET recalled_at = now() - interval '91 days'
    WHERE game_id = ${game.game_id} AND message_id = ${old}`);
  await deleteOldMessages(server.database);
  const left = await server.database.query(sql`
    SELECT message_id FROM message_states WHERE game_id = ${game.game_id}
    UNION ALL SELECT message_id FROM messages WHERE game_id = ${game.game_id}`);
  assert.deepEqual(left, [{ message_id: kept }, { message_id: kept }]);
});
