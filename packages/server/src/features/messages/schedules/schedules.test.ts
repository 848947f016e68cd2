import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { MAX_MESSAGE_SCHEDULES } from '@overworld/contract/messages/message-limits';
import { useTwoServers } from '../../../../test/two-servers.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { COINS, makeMessageGame } from '../test/message-game.ts';
import type { MessageGame } from '../test/message-game.ts';

const nodes = useTwoServers();
let game: MessageGame;
beforeEach(async () => {
  game = await makeMessageGame(nodes[0]);
});

const DAILY = { to: { type: 'everyone' }, title: 'Daily gift', hour: 18, lasts_hours: 24 };

const create = (body: object = DAILY) => game.steer('POST', '/message-schedules', body);
const change = (id: string, body: object) => game.steer('PATCH', `/message-schedules/${id}`, body);
const list = async () => (await game.steer('GET', '/message-schedules')).body.schedules;
const made = async (body: object = DAILY): Promise<string> => {
  const answer = await create(body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.id;
};

/** Sets the next message of a schedule back by days, and its hour to one that has passed on every day. */
const makeDue = (id: string, days = 0) =>
  nodes[0].database.ofGame(game.game_id).execute(sql`
    UPDATE message_schedules
    SET next_day = (now() AT TIME ZONE (SELECT time_zone FROM games WHERE id = game_id))::date - ${days}::integer,
        hour = 0
    WHERE game_id = ${game.game_id} AND schedule_id = ${id}`);

const sentMessages = async () => (await game.steer('GET', '/messages')).body.messages;

const isOver = (id: string) => async () => {
  const schedule = (await list()).find((each: { id: string }) => each.id === id);
  return Date.parse(schedule.next_at) > Date.now();
};

test('a schedule names its next time in the zone of the game, and all that was sent', async () => {
  await nodes[0].database.execute(sql`
    UPDATE games SET time_zone = 'Europe/Berlin' WHERE id = ${game.game_id}`);
  const body = {
    ...DAILY,
    weekdays: ['friday', 'monday'],
    text: 'Come back',
    translations: { de: { title: 'Geschenk' } },
    rewards: COINS,
    reason: 'weekly gift',
  };
  const { status, body: answer, text } = await create(body);
  assert.equal(status, 201, text);
  const { id: _id, next_at, updated_at: _at, created_by, ...rest } = answer;
  assert.deepEqual(rest, {
    ...body,
    to: { type: 'everyone', joiners: 'included' },
    weekdays: ['monday', 'friday'],
    data: {},
    paused: false,
    last_sent_at: null,
    problem: null,
  });
  assert.match(created_by, /@/);
  const local = new Intl.DateTimeFormat('en', {
    timeZone: 'Europe/Berlin',
    weekday: 'long',
    hour: 'numeric',
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(
    local.formatToParts(new Date(next_at)).map(({ type, value }) => [type, value]),
  );
  assert.equal(parts.hour, '18');
  assert.ok(['Monday', 'Friday'].includes(parts.weekday!));
  const ahead = Date.parse(next_at) - Date.now();
  assert.ok(ahead > 0 && ahead < 5 * 86_400_000);
  assert.deepEqual(await list(), [answer]);
});

test('numbers of conditions and data stay as they were sent', async () => {
  const { status, text } = await game.steer(
    'POST',
    '/message-schedules',
    '{"to":{"type":"segment","properties":[{"property":"n","operator":"gt","value":9007199254740993}]},"title":"T","hour":1,"lasts_hours":1,"data":{"big":9007199254740993}}',
  );
  assert.equal(status, 201, text);
  assert.match(text, /"value":9007199254740993/);
  assert.match(text, /"big":9007199254740993/);
});

test('a wrong schedule is refused with the name of the field, and nothing is made', async () => {
  const refusals: [object, number, RegExp][] = [
    [{ to: { type: 'player', player_id: 'ann' } }, 400, /^to\.type must be segment or everyone/],
    [{ to: { type: 'segment', segment: 'none' } }, 404, /^Segment not found/],
    [{ hour: 24 }, 400, /^hour must be at most 23/],
    [{ hour: 1.5 }, 400, /^hour must be a whole/],
    [{ weekdays: [] }, 400, /^weekdays must have at least 1/],
    [{ weekdays: ['friday', 'friday'] }, 400, /^weekdays/],
    [{ weekdays: ['Friday'] }, 400, /^weekdays\[0\] must be one of/],
    [{ lasts_hours: 721 }, 400, /^lasts_hours must be at most 720/],
    [{ title: ' ' }, 400, /^title must not be empty/],
    [{ rewards: [{ type: 'stat', key: 'a', value: 1 }] }, 400, /^rewards\[0\]\.key names no stat/],
  ];
  for (const [members, status, words] of refusals) {
    const answer = await create({ ...DAILY, ...members });
    assert.equal(answer.status, status, `${JSON.stringify(members)}: ${answer.text}`);
    assert.match(answer.body.error, words);
  }
  assert.deepEqual(await list(), []);
  const id = await made();
  for (const [members, status] of refusals.slice(0, 5)) {
    assert.equal((await change(id, members)).status, status, JSON.stringify(members));
  }
  assert.equal((await change(id, {})).status, 400);
  assert.equal((await list())[0].title, DAILY.title);
});

test('two servers send each message once, and the list of a player has it', async () => {
  const ids = await Promise.all(
    Array.from({ length: 6 }, () => made({ ...DAILY, rewards: COINS })),
  );
  for (const id of ids) await makeDue(id);
  for (const id of ids) await waitUntil('it is sent', isOver(id));
  const messages = await sentMessages();
  assert.equal(messages.length, ids.length);
  for (const { title, to, starts_at, ends_at, sent_by, rewards } of messages) {
    assert.deepEqual([title, to.type, rewards], [DAILY.title, 'everyone', COINS]);
    assert.equal(Date.parse(ends_at) - Date.parse(starts_at), 24 * 3_600_000);
    assert.equal(new Date(starts_at).getUTCHours(), 0);
    assert.match(sent_by, /@/);
  }
  assert.deepEqual(
    await game.titles('ann'),
    ids.map(() => DAILY.title),
  );
  assert.equal((await game.claim('ann', messages[0].id)).status, 200);
  const { body } = await game.steer('GET', '/audit-log');
  const entries = body.audit_log.filter(
    ({ action }: { action: string }) => action === 'send_message',
  );
  const by = entries.map(
    ({ details }: { details: { schedule_id: string } }) => details.schedule_id,
  );
  assert.deepEqual(by.toSorted(), ids.toSorted());
});

test('of days on which no server ran, one message is sent, and none whose end has passed', async () => {
  const late = await made({ ...DAILY, lasts_hours: 48 });
  await makeDue(late, 5);
  await waitUntil('it is sent', isOver(late));
  assert.equal((await sentMessages()).length, 1);
  const weekday = new Date().toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  const missed = await made({ ...DAILY, lasts_hours: 1, weekdays: [weekday.toLowerCase()] });
  await makeDue(missed, 6);
  await nodes[0].database.ofGame(game.game_id).execute(sql`
    UPDATE message_schedules
    SET hour = 23, weekdays = ARRAY[extract(isodow FROM next_day)]
    WHERE game_id = ${game.game_id} AND schedule_id = ${missed}`);
  await waitUntil('it is missed', isOver(missed));
  const { problem, last_sent_at } = (await list()).find(({ id }: { id: string }) => id === missed);
  assert.deepEqual([problem, last_sent_at], ['No server ran until the message had ended', null]);
  assert.equal((await sentMessages()).length, 1);
});

test('a message that cannot be sent is left out with the reason, and the next one is sent', async () => {
  const segment = '/saved-reports/segment/Whales';
  await game.steer('PUT', segment, { query: 'tag=whale' });
  const id = await made({ ...DAILY, to: { type: 'segment', segment: 'Whales' } });
  const query = `events=${JSON.stringify([{ event_name: 'pay' }])}`;
  assert.equal((await game.steer('PUT', segment, { query })).status, 409);
  assert.equal((await game.steer('PUT', segment, { query, replace_used: true })).status, 200);
  await makeDue(id);
  await waitUntil('it is left out', isOver(id));
  const [schedule] = await list();
  assert.match(schedule.problem, /^to\.segment has conditions that are not about tags/);
  assert.deepEqual(await sentMessages(), []);
  const { body } = await game.steer('GET', '/audit-log');
  assert.equal(body.audit_log[0].action, 'fail_message_schedule');
  assert.equal((await change(id, { to: { type: 'everyone' } })).status, 200);
  await makeDue(id);
  await waitUntil('it is sent', isOver(id));
  assert.equal((await list())[0].problem, null);
  assert.equal((await sentMessages()).length, 1);
});

test('a paused schedule sends nothing, and one that goes on nothing for the days that have passed', async () => {
  const id = await made();
  const paused = await change(id, { paused: true });
  assert.deepEqual([paused.status, paused.body.paused, paused.body.next_at], [200, true, null]);
  await makeDue(id, 1);
  const other = await made({ ...DAILY, title: 'Other' });
  await makeDue(other);
  await waitUntil('the other is sent', isOver(other));
  const again = await change(id, { paused: false });
  assert.ok(Date.parse(again.body.next_at) > Date.now());
  const titles = (await sentMessages()).map(({ title }: { title: string }) => title);
  assert.deepEqual(titles, ['Other']);
});

test('a schedule is changed in part, and deleted; its messages stay', async () => {
  const id = await made({ ...DAILY, text: 'Hello', rewards: COINS });
  const changed = await change(id, { title: 'New', weekdays: ['sunday'] });
  const { title, text, rewards, weekdays, hour } = changed.body;
  assert.deepEqual([title, text, rewards, weekdays, hour], ['New', 'Hello', COINS, ['sunday'], 18]);
  await makeDue(id, 7);
  await nodes[0].database.ofGame(game.game_id).execute(sql`
    UPDATE message_schedules SET weekdays = '{1,2,3,4,5,6,7}' WHERE game_id = ${game.game_id}`);
  await waitUntil('it is sent', isOver(id));
  const path = `/message-schedules/${id}`;
  assert.equal((await game.steer('DELETE', path)).status, 204);
  assert.equal((await game.steer('DELETE', path)).status, 404);
  assert.equal((await change(id, { paused: true })).status, 404);
  assert.deepEqual(await list(), []);
  assert.deepEqual(await game.titles('ann'), ['New']);
});

test('a schedule is of one environment, and only developers change it', async () => {
  const id = await made();
  const elsewhere = await game.steer('PATCH', `/message-schedules/${id}?environment=development`, {
    paused: true,
  });
  assert.equal(elsewhere.status, 404);
  assert.match(elsewhere.body.error, /it is in production, so send environment=production/);
  const viewer = await nodes[0].makeAccount({ game_id: game.game_id, role: 'viewer' });
  const path = `/v1/games/${game.game_id}/message-schedules`;
  assert.equal((await nodes[0].request('GET', path, viewer)).status, 200);
  const refused = await nodes[0].request('POST', path, { token: viewer.token, body: DAILY });
  assert.equal(refused.status, 403);
});

test(`an environment has at most ${MAX_MESSAGE_SCHEDULES} schedules`, async () => {
  for (let made_count = 1; made_count < MAX_MESSAGE_SCHEDULES; made_count++) await made();
  const answers = await Promise.all([1, 2, 3].map(() => create()));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409]);
});

test('a statistic, an achievement or a segment is not deleted while a schedule names it', async () => {
  for (const key of ['coins', 'wins']) {
    await game.steer('POST', '/stats', { key, name: key, aggregation: 'sum' });
  }
  await game.steer('POST', '/achievements', { key: 'patient', name: 'Patient' });
  const segment = '/saved-reports/segment/Whales';
  await game.steer('PUT', segment, { query: 'tag=whale' });
  const to = {
    type: 'segment',
    segment: 'Whales',
    properties: [{ stat: 'wins', operator: 'exists' }],
  };
  const rewards = [
    { type: 'stat', key: 'coins', value: 5 },
    { type: 'achievement', key: 'patient' },
  ];
  const ids = [await made({ ...DAILY, to, paused: true }), await made({ ...DAILY, rewards })];
  const paths = ['/stats/coins', '/stats/wins', '/achievements/patient', segment];
  for (const path of paths) {
    const { status, body, text } = await game.steer('DELETE', path);
    assert.deepEqual([status, body.used_by], [409, ['the scheduled message "Daily gift"']], text);
  }
  for (const id of ids) await game.steer('DELETE', `/message-schedules/${id}`);
  for (const path of paths) assert.ok((await game.steer('DELETE', path)).status < 300, path);
});
