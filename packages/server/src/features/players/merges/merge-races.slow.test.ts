import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { useTwoServers } from '../../../../test/two-servers.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeMergeClient } from '../test/merge-client.ts';
import type { MergeClient } from '../test/merge-client.ts';

const nodes = useTwoServers();
let client: MergeClient;
beforeEach(async () => {
  client = await makeMergeClient(nodes[0]);
});

test('merges in both directions at the same time end in one player', async () => {
  for (let round = 0; round < 6; round++) {
    const [a, b] = [`a${round}`, `b${round}`];
    await client.identify(a);
    await client.identify(b);
    const answers = await Promise.all([
      client.merge(a, { from_player_id: b }),
      client.merge(b, { from_player_id: a }, nodes[1]),
      client.merge(b, { from_player_id: a }),
    ]);
    const statuses = answers.map(({ status }) => status);
    assert.ok(statuses.includes(200));
    assert.ok(
      statuses.every((status) => status === 200 || status === 404),
      String(statuses),
    );
    const left = await nodes[0].database.query(sql`
      SELECT player_id FROM players
      WHERE game_id = ${client.game.game_id} AND player_id = ANY(${[a, b]}::text[])`);
    assert.equal(left.length, 1);
  }
});

test('no write of either player is lost or fails during a merge', async () => {
  await client.defineAchievements('first', 'second', 'third');
  for (let round = 0; round < 8; round++) {
    const [a, b] = [`a${round}`, `b${round}`];
    await client.identify(a, { start: 1 });
    await client.identify(b, { start: 2 });
    const writes = [a, b].flatMap((player_id) =>
      ['first', 'second', 'third'].flatMap((name) => [
        client.unlock(player_id, name),
        client.tag(player_id, name),
        client.identify(player_id, { [`${name} of ${player_id[0]}`]: round }),
        client.track(player_id, name, name),
      ]),
    );
    const [merged, ...answers] = await Promise.all([
      client.merge(b, { from_player_id: a }),
      ...writes,
    ]);
    assert.equal(merged.status, 200, merged.text);
    for (const { status, text } of answers) assert.ok(status < 300, text);
    // Writes with the old id after the merge have made a new player with that id, so this player is merged
    // too.
    await client.merge(b, { from_player_id: a });
    await client.waitForEvents(b);
    const player = await client.show(b);
    assert.deepEqual(player.tags.toSorted(), ['first', 'second', 'third']);
    assert.equal(Object.keys(player.properties).length, 7);
    const { body } = await client.call('GET', `/v1/achievements?player_id=${b}`);
    assert.equal(
      body.achievements.filter(({ unlocked }: { unlocked: boolean }) => unlocked).length,
      3,
    );
    const { body: timeline } = await client.call('GET', `/v1/players/${b}/timeline`);
    assert.equal(timeline.events.length, 6);
  }
});
