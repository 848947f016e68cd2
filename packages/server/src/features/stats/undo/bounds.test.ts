import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { makeStatRestorationGame } from './test/stat-restoration-game.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

test('values that would leave their bounds are left alone, or set to the bound', async () => {
  for (const out_of_bounds of ['skip', 'to_bound']) {
    const game = await makeStatRestorationGame(server, { coins: { minimum: 0 } });
    const { play, count, start, waitFor, act, valuesOf, listHours } = game;
    await play('spent', { coins: 10 }, { coins: 100 }, { coins: -80 });
    await play('saved', { coins: 10 }, { coins: 100 });
    const counted = await count();
    assert.equal(
      counted.words,
      '2 of 2 players have changes in these hours, of 2 values. 1 value would leave its bounds.',
    );
    assert.deepEqual(
      counted.examples.map((each: Record<string, unknown>) => [
        each.player_id,
        each.value_after,
        each.is_out_of_bounds,
      ]),
      [
        ['saved', 10, false],
        ['spent', -70, true],
      ],
    );
    await start(counted, out_of_bounds);
    const done = await waitFor(counted.restoration_id, 'done');
    const isSkipped = out_of_bounds === 'skip';
    assert.deepEqual([done.restored_count, done.skipped_count], isSkipped ? [1, 1] : [2, 0]);
    assert.deepEqual(await valuesOf('saved'), { coins: 10 });
    assert.deepEqual(await valuesOf('spent'), { coins: isSkipped ? 30 : 0 });
    await listHours('spent');
    await game.change('spent', { coins: 1 });
    await act(counted, 'undo');
    await waitFor(counted.restoration_id, 'undone');
    assert.deepEqual(await valuesOf('spent'), { coins: 31 });
    assert.deepEqual(await valuesOf('saved'), { coins: 110 });
    await listHours('spent');
  }
});

test('an undo holds the bounds too, as the start has said', async () => {
  for (const out_of_bounds of ['skip', 'to_bound']) {
    const game = await makeStatRestorationGame(server, { coins: { minimum: 0 } });
    const { play, count, start, waitFor, act, valuesOf, listHours } = game;
    await play('robbed', { coins: 100 }, { coins: -90 });
    const counted = await count();
    await start(counted, out_of_bounds);
    await waitFor(counted.restoration_id, 'done');
    assert.deepEqual(await valuesOf('robbed'), { coins: 100 });
    await game.change('robbed', { coins: -50 });
    await act(counted, 'undo');
    const undone = await waitFor(counted.restoration_id, 'undone');
    const isKept = out_of_bounds === 'skip';
    assert.deepEqual([undone.undone_count, undone.kept_count], isKept ? [0, 1] : [1, 0]);
    assert.deepEqual(await valuesOf('robbed'), { coins: isKept ? 50 : 0 });
    await listHours('robbed');
  }
});
