import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestServer } from '../../../test/harness.ts';
import { makeGate } from '../../../test/gate.ts';
import type { Gate } from '../../../test/gate.ts';
import type { TestAnswer } from '../../../test/test-request.ts';
import { useTwoServers } from '../../../test/two-servers.ts';
import { countLockWaits } from '../../../test/wait-for-lock.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';
import { makeStatStudio } from './test/stat-studio.ts';

suite('changes of statistics at the same time', () => {
  const nodes = useTwoServers();
  let server: TestServer;
  let second: TestServer;
  let gate: Gate;
  before(async () => {
    [server, second] = nodes;
    gate = await makeGate(server.database, sql`player_stat_hours`);
  });

  /** Sends requests while the gate is closed, each as soon as the ones before it wait. */
  async function sendHeld(...requests: (() => Promise<TestAnswer>)[]): Promise<TestAnswer[]> {
    const sent: Promise<TestAnswer>[] = [];
    await gate.close(async () => {
      for (const request of requests) {
        sent.push(request());
        await waitUntil(
          `${sent.length} statements wait`,
          async () => (await countLockWaits(server.database)) >= sent.length,
        );
      }
    });
    return Promise.all(sent);
  }

  test('by two servers are all in the sum, and each answer has the value after its own', async () => {
    const studio = await makeStatStudio(server, { wins: 'sum', best: 'max', coins: 'sum' });
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, index) =>
        studio.change(
          `p${index % 2}`,
          index % 3 ? { wins: 1, best: index } : { coins: 1, wins: 1 },
          {
            node: nodes[(index >> 1) % 2],
          },
        ),
      ),
    );
    for (const { status, text } of answers) assert.equal(status, 200, text);
    for (const player of [0, 1]) {
      const values = await studio.valuesOf(`p${player}`);
      assert.deepEqual(values, { wins: 60, best: player === 0 ? 118 : 119, coins: 20 });
      const wins = answers
        .filter((_answer, index) => index % 2 === player)
        .map(({ body }) => body.stats.find(({ key }: { key: string }) => key === 'wins').value)
        .toSorted((a, b) => a - b);
      assert.deepEqual(
        wins,
        Array.from({ length: 60 }, (_, index) => index + 1),
      );
      await studio.listHours(`p${player}`);
    }
  });

  test('never take more than there is, and refuse only those for which there is too little', async () => {
    const studio = await makeStatStudio(server, { coins: { minimum: 0 }, bought: 'sum' });
    await studio.change('p', { coins: 100 });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        studio.change('p', { coins: -7, bought: 1 }, { node: nodes[index % 2] }),
      ),
    );
    const bought = answers.filter(({ status }) => status === 200).length;
    assert.equal(bought, 14);
    for (const { status, body } of answers) {
      if (status === 200) continue;
      assert.equal(status, 400);
      assert.match(body.error, /^changes\[0\]\.value: coins must be at least 0, and would be -\d$/);
    }
    assert.deepEqual(await studio.valuesOf('p'), { coins: 2, bought: 14 });
    await studio.listHours('p');
  });

  test('are refused one by one, and the others of their batch are stored', async () => {
    const studio = await makeStatStudio(server, { coins: { minimum: 0, maximum: 10 } });
    const sent = [-1, 5, 6, 5, -11, -10, 3];
    // The gate keeps the first one in its flush, so that the others come in one batch.
    const answers = await gate.close(async () => {
      const first = studio.change('other', { coins: 1 });
      await gate.waitForChange();
      const others: Promise<TestAnswer>[] = [];
      for (const coins of sent) {
        others.push(studio.change('p', { coins }));
        // The server gets them in this order.
        await sleep(30);
      }
      return [first, ...others];
    });
    const [, ...done] = await Promise.all(answers);
    assert.deepEqual(
      done.map(({ status, body }) => (status === 200 ? body.stats[0].value : status)),
      [400, 5, 400, 10, 400, 0, 3],
    );
    assert.deepEqual(await studio.listHours('p'), [{ key: 'coins', value: 3 }]);
  });

  test('the first values of a player on two servers are both counted', async () => {
    const studio = await makeStatStudio(server, { wins: 'sum' });
    const answers = await sendHeld(
      () => studio.change('new', { wins: 1 }),
      () => studio.change('new', { wins: 2 }, { node: second }),
    );
    const values = answers.map(({ body }) => body.stats[0].value);
    assert.deepEqual(values, [1, 3]);
    assert.deepEqual(await studio.listHours('new'), [{ key: 'wins', value: 3 }]);
  });

  test('a statistic that is deleted while it gets its first value is archived', async () => {
    const studio = await makeStatStudio(server, { wins: 'sum' });
    const [changed, deleted] = await sendHeld(
      () => studio.change('p', { wins: 1 }),
      () => studio.steer('DELETE', '/stats/wins'),
    );
    assert.equal(changed!.status, 200, changed!.text);
    assert.deepEqual(deleted!.body, { key: 'wins', result: 'archived' });
  });
});
