import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { useTwoServers } from '../../../test/two-servers.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';
import { makeMessageGame } from './test/message-game.ts';
import type { MessageGame } from './test/message-game.ts';

const nodes = useTwoServers();
let game: MessageGame;
beforeEach(async () => {
  game = await makeMessageGame(nodes[0]);
});

const MEMBERS = {
  type: 'segment',
  joiners: 'excluded',
  properties: [{ property: 'level', operator: 'gte', value: 5 }],
};

const ofGame = () => nodes[0].database.ofGame(game.game_id);

const countParts = async (): Promise<number> =>
  (await ofGame().query(sql`SELECT FROM messaged_members WHERE game_id = ${game.game_id}`)).length;

/** Sends a message whose members cannot be stored before the release, because a part of them is taken. */
async function sendSlowly(player_id: string) {
  const id = randomUUID();
  const hash = createHash('sha256').update(player_id).digest();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  const holding = ofGame()
    .transaction(async (tx) => {
      await tx.execute(sql`
        INSERT INTO messaged_members (game_id, environment, part, message_id, members)
        VALUES (${game.game_id}, 'production', ${hash.readUInt16BE(0) >> 2}, ${id}, '')`);
      hold();
      await released;
      throw new Error('released');
    })
    .catch(() => undefined);
  await held;
  const began = performance.now();
  const sent = await game.steer('POST', '/messages', { id, to: MEMBERS, title: 'slow' });
  return {
    id,
    sent,
    answer_ms: performance.now() - began,
    async release() {
      release();
      await holding;
    },
  };
}

const isSent = async (id: string): Promise<boolean> => {
  const { body } = await game.steer('GET', '/messages');
  return !body.messages.find((message: { id: string }) => message.id === id).is_sending;
};

test('a message whose members are stored slowly is answered at once, and its moment decides', async () => {
  for (const name of ['ann', 'cat', 'guest', 'lost']) await game.identify(name, { level: 9 });
  for (const name of ['ben', 'dog']) await game.identify(name, { level: 1 });
  const slow = await sendSlowly('ann');
  const { status, body } = slow.sent;
  assert.deepEqual(
    [status, body.is_sending, body.member_count, body.members_at],
    [201, true, null, null],
  );
  assert.ok(slow.answer_ms < 5_000, `${slow.answer_ms} ms`);
  assert.deepEqual(await game.titles('cat'), [], 'nobody has it yet');
  assert.equal((await game.claim('cat', slow.id)).status, 404);

  await game.identify('cat', { level: 1 });
  await game.identify('dog', { level: 9 });
  const gone = ['ann', 'lost'];
  for (const name of gone) {
    assert.equal((await game.steer('DELETE', `/players/${name}`)).status, 204);
  }
  const merged = await nodes[1].request('POST', '/v1/players/ben/merge', {
    key: game.server_key,
    body: { from_player_id: 'guest' },
  });
  assert.equal(merged.status, 200, merged.text);
  for (const name of gone) await game.identify(name, { level: 9 });

  await slow.release();
  await waitUntil('it is sent', () => isSent(slow.id));
  const { body: listed } = await game.steer('GET', '/messages');
  const [{ member_count, members_at, sent_at }] = listed.messages;
  assert.equal(member_count, 4);
  assert.ok(Date.parse(members_at) >= Date.parse(sent_at));
  const haves = { cat: true, ben: true, dog: false, ann: false, lost: false, guest: false };
  for (const [name, has] of Object.entries(haves)) {
    assert.deepEqual(await game.titles(name), has ? ['slow'] : [], name);
  }
});

test('a message that is recalled while its members are stored is never sent', async () => {
  await game.identify('ann', { level: 9 });
  const slow = await sendSlowly('ann');
  const recalled = await game.steer('POST', `/messages/${slow.id}/recall`);
  assert.deepEqual([recalled.status, recalled.body.is_sending], [200, false]);
  await slow.release();
  const next = await game.send(MEMBERS, { title: 'next' });
  await waitUntil('the next one is sent', () => isSent(next));
  assert.deepEqual(await game.titles('ann'), ['next']);
  assert.equal(await countParts(), 1);
  await game.steer('POST', `/messages/${next}/recall`);
  assert.equal(await countParts(), 0, 'a recall deletes the members');
});

test('many messages sent to members at the same time on two servers all have their members', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
  for (const name of names) await game.identify(name, { level: 9 });
  const to = { ...MEMBERS };
  await Promise.all(
    names.map((title, index) =>
      nodes[index % 2]!.request('POST', `/v1/games/${game.game_id}/messages`, {
        token: game.token,
        body: { to, title },
      }),
    ),
  );
  await waitUntil('all are sent', async () => {
    const { body } = await game.steer('GET', '/messages');
    return body.messages.every(({ is_sending }: { is_sending: boolean }) => !is_sending);
  });
  const { body } = await game.steer('GET', '/messages');
  for (const { member_count } of body.messages) assert.equal(member_count, 12);
  for (const name of names) {
    assert.deepEqual((await game.titles(name)).toSorted(), names.toSorted());
  }
});

test('an erased player is a member of no message', async () => {
  await game.identify('ann', { level: 9 });
  await game.send(MEMBERS, { title: 'before' });
  await game.send(MEMBERS, { title: 'before too' });
  assert.equal((await game.steer('DELETE', '/players/ann')).status, 204);
  await game.identify('ann', { level: 9 });
  assert.deepEqual(await game.titles('ann'), []);
});
