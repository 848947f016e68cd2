import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { useTwoServers } from '../../../test/two-servers.ts';
import { sql } from '../../platform/database/sql.ts';
import { COINS, makeMessageGame } from './test/message-game.ts';
import type { MessageGame } from './test/message-game.ts';

const nodes = useTwoServers({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
let game: MessageGame;
beforeEach(async () => {
  game = await makeMessageGame(nodes[0]);
});

const player = (player_id: string) => ({ type: 'player', player_id });
const everyone = { type: 'everyone' };
const PATIENT = [...COINS, { type: 'achievement', key: 'patient' }];

async function defineAchievement(key = 'patient'): Promise<void> {
  const { status } = await game.steer('POST', '/achievements', { key, name: key });
  assert.equal(status, 201);
}

const countUnlocks = async (): Promise<number> => {
  const row = await nodes[0].database.queryOne<{ count: number }>(sql`
    SELECT count(*) FROM achievement_unlocks WHERE game_id = ${game.game_id}`);
  return row!.count;
};

test('of many claims on two servers one is answered as the first, and all have the rewards', async () => {
  await defineAchievement();
  await game.identify('ann');
  for (const to of [everyone, player('ann')]) {
    const message_id = await game.send(to, { rewards: PATIENT });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => game.claim('ann', message_id, nodes[index % 2])),
    );
    for (const { status, text, body } of answers) {
      assert.equal(status, 200, text);
      assert.deepEqual(body.rewards, PATIENT);
      assert.equal(body.claimed_at, answers[0]!.body.claimed_at);
    }
    assert.equal(answers.filter(({ body }) => !body.already_claimed).length, 1);
  }
  assert.equal(await countUnlocks(), 1);
});

test('many players claim one message at the same time, and each has the rewards once', async () => {
  await defineAchievement();
  const message_id = await game.send(everyone, { rewards: PATIENT });
  const names = Array.from({ length: 80 }, (_, index) => `p${index}`);
  const answers = await Promise.all(
    [...names, ...names].map((name, index) => game.claim(name, message_id, nodes[index % 2])),
  );
  assert.equal(answers.filter(({ body }) => body.already_claimed === false).length, 80);
  assert.ok(answers.every(({ status }) => status === 200));
  assert.equal(await countUnlocks(), 80);
  const { body } = await game.steer('GET', '/messages');
  const [{ read_count, claimed_count, deleted_count }] = body.messages;
  assert.deepEqual([read_count, claimed_count, deleted_count], [80, 80, 0]);
});

test('a claim and its webhook name the rewards, once', async () => {
  await game.steer('POST', '/webhooks', {
    url: 'http://127.0.0.1:1/',
    events: ['message.claimed'],
  });
  const message_id = await game.send(everyone, { rewards: COINS });
  await Promise.all([game.claim('ann', message_id), game.claim('ann', message_id)]);
  const posted = await nodes[0].database.query<{ body: string }>(sql`
    SELECT body FROM webhook_deliveries WHERE game_id = ${game.game_id}`);
  assert.equal(posted.length, 1);
  const { data } = JSON.parse(posted[0]!.body);
  assert.deepEqual(
    { ...data, claimed_at: null },
    {
      game_id: game.game_id,
      environment: 'production',
      player_id: 'ann',
      message_id,
      rewards: COINS,
      claimed_at: null,
    },
  );
});

test('a message without rewards cannot be claimed, and a deleted one is gone', async () => {
  const plain = await game.send(everyone);
  const refused = await game.claim('ann', plain);
  assert.deepEqual([refused.status, refused.body.error], [409, 'This message has no rewards']);
  const message_id = await game.send(everyone, { rewards: COINS });
  await game.play('DELETE', `/v1/messages/${message_id}?player_id=ann`);
  assert.equal((await game.claim('ann', message_id)).status, 404);
});

test('a refused call about a message makes no player, and no message the own one of a player', async () => {
  const bare = await game.send(everyone);
  const over = await game.send(everyone, { rewards: COINS });
  assert.equal((await game.claim('new', bare)).status, 409);
  await game.steer('POST', `/messages/${over}/recall`);
  assert.equal((await game.claim('new', over)).status, 404);
  for (const table of [sql`players`, sql`message_states`]) {
    const rows = await nodes[0].database.query(sql`
      SELECT FROM ${table} WHERE game_id = ${game.game_id}`);
    assert.equal(rows.length, 0);
  }
});

test('a claim beside a recall happens wholly or not at all, and a repeat tells which', async () => {
  await defineAchievement();
  for (let round = 0; round < 15; round++) {
    const name = `p${round}`;
    await game.identify(name);
    const to = round % 2 === 0 ? everyone : player(name);
    const message_id = await game.send(to, { rewards: PATIENT });
    const before = await countUnlocks();
    const [claimed, recalled] = await Promise.all([
      game.claim(name, message_id, nodes[1]),
      game.steer('POST', `/messages/${message_id}/recall`),
    ]);
    assert.equal(recalled.status, 200);
    assert.ok([200, 404].includes(claimed.status), claimed.text);
    const again = await game.claim(name, message_id, nodes[1]);
    assert.equal(again.status, claimed.status);
    if (claimed.status === 200) assert.equal(again.body.already_claimed, true);
    assert.equal((await countUnlocks()) - before, claimed.status === 200 ? 1 : 0);
    assert.deepEqual(await game.titles(name), []);
  }
});

test('a statistic that events move by now is not among the rewards that a claim gives', async () => {
  await game.steer('POST', '/stats', { key: 'wins', name: 'Wins', aggregation: 'sum' });
  const rewards = [...COINS, { type: 'stat', key: 'wins', value: 1 }];
  const message_id = await game.send(everyone, { rewards });
  const moved = await game.steer('PATCH', '/stats/wins', { source: { event_name: 'win' } });
  assert.equal(moved.status, 200, moved.text);
  const { status, body } = await game.claim('ann', message_id);
  assert.equal(status, 200);
  assert.deepEqual(body.rewards, COINS);
});

test('an achievement that an open message to many gives is not deleted; a claim leaves a deleted one out', async () => {
  await defineAchievement();
  const to_all = await game.send(everyone, { rewards: PATIENT });
  const refused = await game.steer('DELETE', '/achievements/patient');
  assert.equal(refused.status, 409, refused.text);
  assert.match(refused.body.used_by.join(), /^the message "[^"]+"$/);
  assert.equal((await game.steer('POST', `/messages/${to_all}/recall`)).status, 200);
  await game.identify('ann');
  const message_id = await game.send(player('ann'), { rewards: PATIENT });
  assert.equal((await game.steer('DELETE', '/achievements/patient')).status, 200);
  const { status, body } = await game.claim('ann', message_id);
  assert.equal(status, 200);
  assert.deepEqual(body.rewards, COINS);
});

test('an erasure beside claims leaves nothing of the player but what came after it', async () => {
  await defineAchievement();
  for (let round = 0; round < 8; round++) {
    const name = `erased${round}`;
    await game.identify(name);
    const ids = [
      await game.send(player(name), { rewards: PATIENT }),
      await game.send(everyone, { rewards: PATIENT }),
    ];
    const [erased, ...claims] = await Promise.all([
      game.steer('DELETE', `/players/${name}`),
      ...ids.map((id) => game.claim(name, id, nodes[1])),
    ]);
    assert.equal(erased!.status, 204);
    for (const { status, text } of claims) assert.ok([200, 404].includes(status), text);
    const exists = await nodes[0].database.queryOne(sql`
      SELECT FROM players WHERE game_id = ${game.game_id} AND player_id = ${name}`);
    const states = await nodes[0].database.query(sql`
      SELECT FROM message_states WHERE game_id = ${game.game_id} AND player_id = ${name}`);
    if (exists === null) assert.equal(states.length, 0);
    await game.steer('DELETE', `/players/${name}`);
    const own = await nodes[0].database.query(sql`
      SELECT FROM messages WHERE game_id = ${game.game_id} AND player_id = ${name}`);
    assert.equal(own.length, 0);
    await game.steer('POST', `/messages/${ids[1]}/recall`);
  }
});

test('after a merge the player has the messages and claims of both', async () => {
  await defineAchievement();
  await game.identify('guest', { level: 9 });
  await game.identify('ann');
  const both = await game.send(everyone, { title: 'both', rewards: PATIENT });
  const own = await game.send(player('guest'), { title: 'own', rewards: COINS });
  await game.send(
    {
      type: 'segment',
      joiners: 'excluded',
      properties: [{ property: 'level', operator: 'exists' }],
    },
    { title: 'member' },
  );
  assert.equal((await game.claim('guest', both)).status, 200);
  const merged = await nodes[0].request('POST', '/v1/players/ann/merge', {
    key: game.server_key,
    body: { from_player_id: 'guest' },
  });
  assert.equal(merged.status, 200, merged.text);
  assert.deepEqual(await game.titles('ann'), ['member', 'own', 'both']);
  const again = await game.claim('ann', both);
  assert.equal(again.body.already_claimed, true);
  const first = await game.claim('ann', own);
  assert.equal(first.body.already_claimed, false);
  assert.deepEqual(await game.titles('guest'), ['both'], 'a new player of this id');
});

test('claims beside a merge are kept, and each player is rewarded at most once', async () => {
  for (let round = 0; round < 6; round++) {
    const [a, b] = [`a${round}`, `b${round}`];
    await game.identify(a);
    await game.identify(b);
    const message_id = await game.send(player(a), { rewards: COINS });
    const [merged, claimed] = await Promise.all([
      nodes[0].request('POST', `/v1/players/${b}/merge`, {
        key: game.server_key,
        body: { from_player_id: a },
      }),
      game.claim(a, message_id, nodes[1]),
    ]);
    assert.equal(merged.status, 200, merged.text);
    assert.ok([200, 404].includes(claimed.status), claimed.text);
    const { body } = await game.claim(b, message_id);
    assert.equal(body.already_claimed, claimed.status === 200);
  }
});

test('a claim changes statistics once, whatever the number of claims at the same time', async () => {
  await game.steer('POST', '/stats', { key: 'coins', name: 'Coins', aggregation: 'sum' });
  const rewards = [
    { type: 'stat', key: 'coins', value: 50.25 },
    { type: 'stat', key: 'coins', value: -0.25 },
  ];
  const message_id = await game.send(everyone, { rewards });
  const names = Array.from({ length: 20 }, (_, index) => `p${index}`);
  const answers = await Promise.all(
    [...names, ...names, ...names].map((name, index) =>
      game.claim(name, message_id, nodes[index % 2]),
    ),
  );
  for (const { status, text, body } of answers) {
    assert.equal(status, 200, text);
    assert.deepEqual(body.rewards, rewards);
  }
  for (const name of names) {
    const { body } = await game.play('GET', `/v1/stats?player_id=${name}`);
    assert.equal(body.stats[0].value, 50, name);
  }
});

test('a claim that would pass a bound is refused as a whole, and those beside it are not', async () => {
  await defineAchievement();
  const coins = { key: 'coins', name: 'Coins', aggregation: 'sum', maximum: 60 };
  assert.equal((await game.steer('POST', '/stats', coins)).status, 201);
  const rewards = [
    { type: 'achievement', key: 'patient' },
    { type: 'stat', key: 'coins', value: 50 },
  ];
  const message_id = await game.send(everyone, { rewards });
  const change = (player_id: string, value: number) =>
    game.play('POST', '/v1/stats', { player_id, changes: [{ key: 'coins', value }] });
  const rich = ['r0', 'r1', 'r2'];
  const poor = Array.from({ length: 20 }, (_, index) => `p${index}`);
  for (const name of rich) assert.equal((await change(name, 20)).status, 200);
  const answers = await Promise.all(
    [...poor, ...rich, ...poor].map((name) => game.claim(name, message_id)),
  );
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual(statuses.slice(20, 23), [409, 409, 409]);
  assert.ok(statuses.every((status, index) => status === 200 || (index >= 20 && index < 23)));
  assert.match(answers[20]!.body.error, /^A reward cannot be given now: .*at most 60/);
  assert.equal(await countUnlocks(), poor.length, 'no reward of a refused claim is given');
  assert.equal((await change('r0', -20)).status, 200);
  const later = await game.claim('r0', message_id);
  assert.deepEqual([later.status, later.body.already_claimed], [200, false]);
});

test('to read a message is not refused with a claim beside it', async () => {
  const debt = { key: 'debt', name: 'Debt', aggregation: 'sum', minimum: 0 };
  assert.equal((await game.steer('POST', '/stats', debt)).status, 201);
  const rewards = [{ type: 'stat', key: 'debt', value: -1 }];
  const message_id = await game.send(everyone, { rewards });
  const names = Array.from({ length: 10 }, (_, index) => `p${index}`);
  const calls = names.flatMap((player_id) => [
    game.play('POST', `/v1/messages/${message_id}/read`, { player_id }),
    game.claim(player_id, message_id),
  ]);
  const answers = await Promise.all(calls);
  for (const [index, { status, text }] of answers.entries()) {
    assert.equal(status, [200, 409][index % 2], text);
  }
});

test('of several claims of a player at the same time, one that can be refused leaves room for the others', async () => {
  const define = async (stat: object) =>
    assert.equal((await game.steer('POST', '/stats', stat)).status, 201);
  await define({ key: 'coins', name: 'Coins', aggregation: 'sum', maximum: 60 });
  await define({ key: 'debt', name: 'Debt', aggregation: 'sum', minimum: 0 });
  const coins = { type: 'stat', key: 'coins', value: 50 };
  const refused = { type: 'stat', key: 'debt', value: -1 };
  // The claims of a batch are made in the order of these ids.
  const idOf = (number: number) => `${number}${game.game_id.slice(1)}`;
  const never = [1, 2, 3].map(idOf);
  const either = [4, 5].map(idOf);
  for (const id of never) await game.send(everyone, { id, rewards: [coins, refused] });
  for (const id of either) await game.send(everyone, { id, rewards: [coins] });
  const names = Array.from({ length: 10 }, (_, index) => `p${index}`);
  const answers = await Promise.all(
    [...never, ...either].flatMap((id) =>
      names.map(async (name) => ({ id, name, ...(await game.claim(name, id)) })),
    ),
  );
  for (const name of names) {
    const mine = answers.filter((answer) => answer.name === name);
    const given = mine.filter(({ status }) => status === 200);
    assert.equal(given.length, 1, JSON.stringify(mine.map(({ id, text }) => [id, text])));
    assert.ok(either.includes(given[0]!.id));
    assert.ok(mine.every(({ status }) => status === 200 || status === 409));
    const { body } = await game.play('GET', `/v1/stats?player_id=${name}`);
    assert.deepEqual(
      body.stats.map(({ key, value }: { key: string; value: number | null }) => [key, value]),
      [
        ['coins', 50],
        ['debt', null],
      ],
    );
  }
});
