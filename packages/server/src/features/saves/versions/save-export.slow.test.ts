import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { writeJson } from '../../../platform/http/write-json.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { createSaveSource } from './version-store.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const DATA = JSON.stringify({ text: 'x'.repeat(100_000) });

/** Fills 51 slots with ten versions of 100 KB each. */
async function fillSlots({ game_id, environment, player_id }: PlayerKey): Promise<void> {
  await server.database.execute(sql`
    INSERT INTO players (game_id, environment, player_id)
    VALUES (${game_id}, ${environment}, ${player_id})`);
  await server.database.execute(sql`
    INSERT INTO saves (game_id, environment, player_id, slot, revision, version)
    SELECT ${game_id}, ${environment}, ${player_id}, 'slot ' || number, 1, 10
    FROM generate_series(1, 51) AS number`);
  await server.database.execute(sql`
    INSERT INTO save_versions (game_id, environment, player_id, slot, place, version, data, saved_at)
    SELECT ${game_id}, ${environment}, ${player_id}, 'slot ' || number, version % 10, version,
           ${DATA}, now()
    FROM generate_series(1, 51) AS number, generate_series(1, 10) AS version`);
}

test('an export of 51 full slots has all versions, with one slot in memory at a time', async () => {
  const { game_id } = await server.makeGame();
  const player: PlayerKey = { game_id, environment: 'production', player_id: 'collector' };
  await fillSlots(player);
  const { token } = await server.makeAccount({ game_id });
  const path = `/v1/games/${game_id}/players/collector/export`;
  const exported = await server.request('GET', path, { token });
  assert.equal(exported.status, 200);
  assert.equal(exported.body.saves.length, 510);
  assert.deepEqual(exported.body.saves[509], {
    slot: 'slot 9',
    version: 10,
    updated_at: exported.body.saves[509].updated_at,
    app_version: null,
    data: JSON.parse(DATA),
  });

  const pages = createSaveSource(0).exportPlayer(
    server.database.ofGame(player.game_id),
    player,
  ) as AsyncGenerator<unknown[]>;
  let count = 0;
  for await (const page of pages) {
    assert.ok(writeJson(page).length < 1_100_000, 'a page has one slot');
    count += page.length;
  }
  assert.equal(count, 510);
});
