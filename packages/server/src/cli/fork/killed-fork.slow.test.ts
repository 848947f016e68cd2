import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestServer } from '../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../test/harness.ts';
import { countCases } from '../../../test/long-forms.ts';
import { CliProcess } from '../../../test/run-cli.ts';
import { countNaively, readRollups } from '../../features/reports/test/naive-rollups.ts';
import { sql } from '../../platform/database/sql.ts';
import { lockGame } from '../../platform/game-lock.ts';
import { readRowsOf } from './test/game-rows.ts';

const PLAYERS = 4_000;
const KILLS = countCases(20);

let server: TestServer;
let game: TestGame;
before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
  const { game_id, production_key: key } = game;
  const group = server.database.ofGame(game_id);
  await group.execute(sql`
    INSERT INTO players (game_id, environment, player_id)
    SELECT ${game_id}, 'production', 'player ' || number FROM generate_series(0, ${PLAYERS - 1}::integer) AS number`);
  for (let batch = 0; batch < 10; batch++) {
    const body = Array.from({ length: 100 }, (_, index) => ({
      event_name: 'play',
      session_id: `session ${batch} ${index}`,
      player_id: `player ${batch * 100 + index}`,
    }));
    await server.request('POST', '/v1/track', { key, body });
  }
  while ((await group.execute(sql`SELECT FROM event_inbox`)) > 0) await sleep(50);
});
after(() => server.close());

const start = () =>
  new CliProcess(['fork', game.game_id, '--players=100%'], { DATABASE_URL: server.database_url });

const listForks = async () =>
  (
    await server.database.query<{ id: string }>(
      sql`SELECT id FROM games WHERE forked_from IS NOT NULL`,
    )
  ).map(({ id }) => id);

test('a fork that is killed at any time is whole or not there, and a server makes its rollups', async () => {
  const began = performance.now();
  assert.equal((await start().done).code, 0);
  const usual_ms = performance.now() - began;
  for (let kill = 0; kill <= KILLS; kill++) {
    const killed = start();
    await sleep((usual_ms * kill) / KILLS);
    killed.child.kill('SIGKILL');
    await killed.done;
  }
  const found = await listForks();
  for (const id of found) {
    await server.database.learnGames([id]);
    const fork = server.database.ofGame(id);
    const held = sql`SELECT FROM event_holds WHERE game_id = ${id}`;
    const deadline = Date.now() + 30_000;
    while ((await fork.execute(held)) > 0 && Date.now() < deadline) await sleep(100);
    const rows = await readRowsOf(server.database, id);
    assert.equal(rows.players!.length, PLAYERS);
    assert.equal(rows.events!.length, 1_000);
    assert.deepEqual(
      await readRollups(server.database, id),
      await countNaively(server.database, id, 'UTC'),
    );
  }
  assert.ok(found.length > 0 && found.length < KILLS, `${found.length} forks of ${KILLS}`);
});

test('a fork waits for no lock of its game, and takes none', async () => {
  const { game_id } = game;
  const group = server.database.ofGame(game_id);
  await group.transaction(async (tx) => {
    await lockGame(tx, game_id);
    await tx.execute(sql`SELECT FROM players WHERE game_id = ${game_id} FOR UPDATE`);
    await tx.execute(sql`UPDATE players SET tags = '{late}' WHERE game_id = ${game_id}`);
    const { code, stdout } = await start().done;
    assert.equal(code, 0);
    const { players } = await readRowsOf(server.database, stdout.trim());
    assert.ok(players!.every(({ tags }) => (tags as string[]).length === 0));
  });
});
