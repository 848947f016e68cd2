import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { useTwoServers } from '../../../../test/two-servers.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { insertSpoiledValues } from './test/spoiled-values.ts';
import { makeStatRestorationGame } from './test/stat-restoration-game.ts';

const PLAYERS = 450;

suite('restorations of statistics while players play on', () => {
  const nodes = useTwoServers();

  test('lose no change, and count none twice', async () => {
    const server = nodes[0]!;
    const game = await makeStatRestorationGame(server);
    const { game_id, change, count, start, act, get, valuesOf, listHours } = game;
    await insertSpoiledValues(server.database, game_id, PLAYERS);
    const counted = await count();
    const made = new Map<string, number>();
    const over = new AbortController();
    /** Changes values of players until the work is over. */
    const play = async (number: number) => {
      for (let turn = number; !over.signal.aborted; turn += 7) {
        const player_id = `p${(turn % PLAYERS) + 1}`;
        const { status, text } = await change(player_id, { coins: 1 }, { node: nodes[turn % 2] });
        assert.equal(status, 200, text);
        made.set(player_id, (made.get(player_id) ?? 0) + 1);
      }
    };
    const reach = (state: string) =>
      waitUntil(`it is ${state}`, async () => (await get(counted.restoration_id)).state === state);
    const work = async () => {
      await start(counted);
      await reach('done');
      await act(counted, 'undo');
      await reach('undone');
      over.abort();
    };
    await Promise.all([work(), ...Array.from({ length: 7 }, (_, number) => play(number))]);
    const undone = await get(counted.restoration_id);
    assert.deepEqual(
      [undone.restored_count, undone.skipped_count, undone.undone_count],
      [PLAYERS, 0, PLAYERS],
    );
    assert.ok(made.size > 20);
    for (const [player_id, changes] of [...made].slice(0, 40)) {
      assert.deepEqual(await valuesOf(player_id), { coins: 11 + changes });
    }
    await listHours('p1');
  });

  test('and bring a value back that a player has made anew at the same time', async () => {
    const server = nodes[0]!;
    const game = await makeStatRestorationGame(server);
    const { play, change, count, start, waitFor, act, valuesOf, listHours } = game;
    const players = Array.from({ length: 20 }, (_, number) => `new ${number}`);
    for (const player of players) await play(player, null, { coins: 10 });
    const counted = await count();
    await start(counted);
    await waitFor(counted.restoration_id, 'done');
    assert.deepEqual(await valuesOf('new 3'), {});
    await Promise.all([
      act(counted, 'undo'),
      ...players.flatMap((player) =>
        Array.from({ length: 5 }, async (_, turn) => {
          const { status } = await change(player, { coins: 1 }, { node: nodes[turn % 2] });
          assert.equal(status, 200);
        }),
      ),
    ]);
    await waitFor(counted.restoration_id, 'undone');
    for (const player of players) assert.deepEqual(await valuesOf(player), { coins: 15 });
    await listHours('new 3');
  });
});
