import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';
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

test('a message to one player is listed for this player alone, with all that was sent', async () => {
  await game.identify('ann');
  const data = '{"big":9007199254740993,"__proto__":1}';
  const sent = await game.steer(
    'POST',
    '/messages',
    `{"to":{"type":"player","player_id":"ann"},"title":"Hi","text":"Sorry","data":${data},"rewards":[{"type":"item","key":"coins","quantity":50,"data":{"n":1e400000}}]}`,
  );
  assert.equal(sent.status, 400, 'a number that no database stores');
  const { status, body, text } = await game.steer(
    'POST',
    '/messages',
    `{"to":{"type":"player","player_id":"ann"},"title":"Hi","text":"Sorry","data":${data},"rewards":${JSON.stringify(COINS)}}`,
  );
  assert.equal(status, 201, text);
  assert.deepEqual(body.to, { type: 'player', player_id: 'ann' });
  const answer = await game.play('GET', '/v1/messages?player_id=ann');
  assert.match(answer.text, /"data":\{"big":9007199254740993,"__proto__":1\}/);
  const [message] = answer.body.messages;
  assert.deepEqual(
    { ...message, data: null, starts_at: null },
    {
      id: body.id,
      title: 'Hi',
      text: 'Sorry',
      locale: null,
      data: null,
      rewards: COINS,
      starts_at: null,
      ends_at: null,
      read: false,
      claimed: false,
    },
  );
  assert.equal(answer.body.unread_count, 1);
  assert.deepEqual(await game.titles('ben'), []);
});

test('the newest message is first, and pages by cursor show each message once', async () => {
  await game.identify('ann');
  for (const [index, to] of [everyone, { type: 'player', player_id: 'ann' }, everyone].entries()) {
    await game.send(to, { title: `m${index}` });
  }
  assert.deepEqual(await game.titles('ann'), ['m2', 'm1', 'm0']);
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const more: Record<string, string> = cursor === '' ? { limit: '1' } : { limit: '1', cursor };
    const page: {
      messages: { title: string }[];
      next_cursor: string | null;
      unread_count: number;
    } = await game.list('ann', more);
    assert.equal(page.unread_count, 3);
    seen.push(...page.messages.map(({ title }) => title));
    cursor = page.next_cursor;
  }
  assert.deepEqual(seen, ['m2', 'm1', 'm0']);
  const wrong = await game.play('GET', '/v1/messages?player_id=ann&cursor=WyJhIl0');
  assert.deepEqual([wrong.status, wrong.body.error], [400, 'cursor is not valid']);
});

test('a cursor goes on after a message that began before 1970', async () => {
  for (const title of ['old', 'older']) {
    await game.send(everyone, { title, starts_at: '1960-01-01T00:00:00Z' });
  }
  const first = await game.list('ann', { limit: '1' });
  const second = await game.list('ann', { limit: '1', cursor: first.next_cursor });
  const titles = [...first.messages, ...second.messages].map(({ title }) => title);
  assert.deepEqual(titles.toSorted(), ['old', 'older']);
});

test('everyone is all players, with those who come later or without them', async () => {
  await game.identify('ann');
  await game.send(everyone, { title: 'with' });
  await game.send({ type: 'everyone', joiners: 'excluded' }, { title: 'without' });
  await server.database.execute(sql`
    UPDATE players SET first_seen_at = now() - interval '1 hour' WHERE game_id = ${game.game_id}`);
  assert.deepEqual(await game.titles('ann'), ['without', 'with']);
  assert.deepEqual(await game.titles('nobody yet'), ['with']);
  await game.identify('later');
  await server.database.execute(sql`
    UPDATE players SET first_seen_at = now() + interval '1 minute'
    WHERE game_id = ${game.game_id} AND player_id = 'later'`);
  assert.deepEqual(await game.titles('later'), ['with']);
});

test('a segment is judged when the player asks, unless joiners are excluded', async () => {
  await game.identify('ann', { level: 7, id: 1 });
  await game.identify('ben', { level: 1 });
  const properties = [{ property: 'level', operator: 'gte', value: 5 }];
  const segment = { type: 'segment', properties };
  const with_joiners = await game.send(segment, { title: 'with', rewards: COINS });
  const { status, body } = await game.steer('POST', '/messages', {
    to: { ...segment, joiners: 'excluded' },
    title: 'without',
  });
  assert.deepEqual([status, body.member_count], [201, 1]);
  assert.deepEqual(await game.titles('ann'), ['without', 'with']);
  assert.deepEqual(await game.titles('ben'), []);
  await game.identify('ben', { level: 5 });
  assert.deepEqual(await game.titles('ben'), ['with']);
  await game.identify('ann', { level: 2 });
  assert.deepEqual(await game.titles('ann'), ['without'], 'no longer in the segment');
  assert.equal((await game.claim('ann', with_joiners)).status, 404);
  assert.equal((await game.claim('ben', with_joiners)).status, 200);
  await game.identify('ben', { level: 1 });
  assert.deepEqual(await game.titles('ben'), ['with'], 'a message that was claimed stays');
});

test('tags and a saved segment choose players, and later changes of the segment change nothing', async () => {
  await game.identify('ann', { country: 'de' });
  await game.identify('ben', { country: 'de' });
  await game.play('POST', '/v1/players/ann/tags', { tag: 'vip' });
  const filter = JSON.stringify([{ property: 'country', operator: 'eq', value: 'de' }]);
  const query = new URLSearchParams({ tag: 'VIP', filter }).toString();
  await game.steer('PUT', '/saved-reports/segment/German%20VIPs', { query });
  await game.send({ type: 'segment', segment: 'German VIPs' }, { title: 'saved' });
  await game.send({ type: 'segment', lacks_tags: ['vip'] }, { title: 'lacks' });
  await game.steer('PUT', '/saved-reports/segment/German%20VIPs', { query: 'tag=other' });
  assert.deepEqual(await game.titles('ann'), ['saved']);
  assert.deepEqual(await game.titles('ben'), ['lacks']);
  await game.steer('PUT', '/saved-reports/segment/buyers', {
    query: new URLSearchParams({ events: '[{"event_name":"buy"}]' }).toString(),
  });
  const to = { type: 'segment', segment: 'buyers' };
  const refused = await game.steer('POST', '/messages', { to, title: 'T' });
  assert.equal(refused.status, 400);
  assert.match(refused.body.error, /^to\.segment .* tag its players/);
});

test('a message is listed from its time until its end, and not after a recall or a deletion', async () => {
  await game.identify('ann');
  const hour = 3_600_000;
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  for (const to of [everyone, { type: 'player', player_id: 'ann' }]) {
    await game.send(to, { title: 'later', starts_at: at(hour) });
    await game.send(to, { title: 'now', starts_at: at(-hour), ends_at: at(hour) });
    const ended = await game.send(to, { title: 'ended', ends_at: at(hour) });
    const recalled = await game.send(to, { title: 'recalled' });
    await server.database.execute(sql`
      UPDATE messages SET ends_at = now() - interval '1 second'
      WHERE game_id = ${game.game_id} AND message_id = ${ended}`);
    const { status, body } = await game.steer('POST', `/messages/${recalled}/recall`);
    assert.equal(status, 200);
    assert.ok(Math.abs(Date.parse(body.recalled_at) - Date.now()) < 60_000);
    const again = await game.steer('POST', `/messages/${recalled}/recall`);
    assert.equal(again.body.recalled_at, body.recalled_at);
  }
  const { messages } = await game.list('ann');
  assert.deepEqual(
    messages.map(({ title }: { title: string }) => title),
    ['now', 'now'],
  );
  const path = `/v1/messages/${messages[0].id}?player_id=ann`;
  assert.equal((await game.play('DELETE', path)).status, 204);
  assert.equal((await game.play('DELETE', path)).status, 404);
  assert.deepEqual(await game.titles('ann'), ['now']);
});

test('reading lowers the number of unread messages, and keeps its first time', async () => {
  await game.identify('ann');
  const message_id = await game.send(everyone);
  await game.send(everyone);
  const read = () => game.play('POST', `/v1/messages/${message_id}/read`, { player_id: 'ann' });
  const first = await read();
  assert.equal(first.status, 200, first.text);
  assert.deepEqual((await read()).body, first.body);
  const { messages, unread_count } = await game.list('ann');
  assert.equal(unread_count, 1);
  assert.deepEqual(
    messages.map((message: { read: boolean }) => message.read),
    [false, true],
  );
  const unknown = '00000000-0000-4000-8000-000000000000';
  for (const id of [unknown, await game.send({ type: 'player', player_id: 'ann' })]) {
    const other = await game.play('POST', `/v1/messages/${id}/read`, { player_id: 'ben' });
    assert.deepEqual([other.status, other.body.error], [404, 'Message not found']);
  }
});

test('an answer that has not changed is 304, and each change gives another ETag', async () => {
  await game.identify('ann');
  const ask = (etag?: string) =>
    server.request('GET', '/v1/messages?player_id=ann', {
      key: game.production_key,
      headers: etag === undefined ? {} : { 'if-none-match': etag },
    });
  const tags = new Set<string>();
  const unchanged = async () => {
    const etag = (await ask()).headers.get('etag')!;
    assert.equal((await ask(etag)).status, 304);
    tags.add(etag);
  };
  await unchanged();
  const message_id = await game.send(everyone, { rewards: COINS });
  await unchanged();
  await game.play('POST', `/v1/messages/${message_id}/read`, { player_id: 'ann' });
  await unchanged();
  await game.claim('ann', message_id);
  await unchanged();
  await game.steer('POST', `/messages/${message_id}/recall`);
  await unchanged();
  assert.equal(tags.size, 4, 'the first and the last answer are equal');
});

test('texts come in the language that is asked for, and else in the default one', async () => {
  await game.identify('ann');
  const translations = { de: { title: 'Hallo', text: 'Welt' }, 'pt-BR': { title: 'Oi' } };
  for (const to of [everyone, { type: 'player', player_id: 'ann' }]) {
    const message_id = await game.send(to, { title: 'Hello', text: 'world', translations });
    const ask = async (query: string, accept?: string) => {
      const { body } = await server.request('GET', `/v1/messages?player_id=ann${query}`, {
        key: game.production_key,
        headers: accept === undefined ? {} : { 'accept-language': accept },
      });
      const { title, text, locale } = body.messages[0];
      return [title, text, locale];
    };
    assert.deepEqual(await ask(''), ['Hello', 'world', null]);
    assert.deepEqual(await ask('&locale=de-AT'), ['Hallo', 'Welt', 'de']);
    assert.deepEqual(await ask('', 'fr, pt;q=0.5'), ['Oi', 'world', 'pt-BR']);
    assert.deepEqual(await ask('&locale=fr', 'de'), ['Hello', 'world', null]);
    await game.steer('POST', `/messages/${message_id}/recall`);
  }
});
