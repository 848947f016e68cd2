import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitForLock } from '../../../../test/wait-for-lock.ts';
import { sql } from '../../../platform/database/sql.ts';
import { chooseVariant } from '../assignment.ts';
import { HALVES, makeStudio } from '../test/studio.ts';
import type { Studio } from '../test/studio.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const PLAYERS = Array.from({ length: 40 }, (_, number) => `player ${number}`);
const [CONTROL, GENEROUS] = HALVES.variants;

const SHOP = { ...HALVES, variants: [CONTROL, { ...GENEROUS, values: { shop: 1 } }] };

/**
 * Finds a player who gets this variant. If `variant` is null, finds a player who does not take part, because
 * only `share` percent of all players do.
 */
const findPlayer = (id: string, variant: number | null, share = 100) => {
  const experiment = { id, share, variants: HALVES.variants };
  // The id is random, and none of a few players may get the variant.
  const many = Array.from({ length: 1_000 }, (_, number) => `player ${number}`);
  return many.find((player) => chooseVariant(experiment, player) === variant)!;
};

const identify = (studio: Studio, player_id: string, properties: object) =>
  server.request('POST', '/v1/identify', {
    key: studio.production_key,
    body: { player_id, properties },
  });

test('players get the values of their variant, and each has one exposure', async () => {
  const studio = await makeStudio(server);
  const before_start = await studio.read('player 0');
  const id = await studio.start(HALVES);
  const expected = PLAYERS.map((player_id) => ({
    player_id,
    variant: chooseVariant({ id, ...HALVES }, player_id)!,
  }));
  for (let round = 0; round < 2; round++) {
    await Promise.all(
      expected.map(async ({ player_id, variant }) => {
        const { body } = await studio.read(player_id);
        const reward = variant === 0 ? 100 : 200;
        assert.deepEqual(body, { config: { reward, shop: { open: true } }, version: 1 });
      }),
    );
  }
  const found = await studio.waitForExposures(PLAYERS.length);
  const byId = (a: { player_id: string }, b: { player_id: string }) =>
    a.player_id < b.player_id ? -1 : 1;
  assert.deepEqual(found.toSorted(byId), expected.toSorted(byId));

  const of_control = await studio.read(findPlayer(id, 0));
  assert.equal(of_control.text, before_start.text);
  assert.equal(of_control.headers.get('etag'), before_start.headers.get('etag'));
  const variant_player = findPlayer(id, 1);
  const etag = (await studio.read(variant_player)).headers.get('etag')!;
  assert.notEqual(etag, before_start.headers.get('etag'));
  assert.equal((await studio.read(variant_player, { 'if-none-match': etag })).status, 304);
  await studio.steer('POST', `/experiments/${id}/stop`);
  const stopped = await studio.read(variant_player, { 'if-none-match': etag });
  assert.deepEqual([stopped.status, stopped.body.config.reward], [200, 100]);
});

test('a request without a player id gets the config, and stores no exposure', async () => {
  const studio = await makeStudio(server);
  await studio.start({ ...HALVES, variants: [{ ...CONTROL, weight: 1 }, GENEROUS] });
  assert.equal((await studio.read()).body.config.reward, 100);
  const development = await server.request('GET', '/v1/config?player_id=x', {
    key: studio.development_key,
  });
  assert.deepEqual(development.body, { config: {}, version: 0 });
  await studio.read('player 1');
  assert.deepEqual(
    (await studio.waitForExposures(1)).map(({ player_id }) => player_id),
    ['player 1'],
  );
});

test('players outside the share have no exposure until the share is raised', async () => {
  const studio = await makeStudio(server);
  const id = await studio.start({ ...HALVES, share: 30 });
  const outside = findPlayer(id, null, 30);
  const inside = findPlayer(id, 1, 30);
  assert.equal((await studio.read(outside)).body.config.reward, 100);
  assert.equal((await studio.read(inside)).body.config.reward, 200);
  assert.deepEqual(await studio.waitForExposures(1), [{ player_id: inside, variant: 1 }]);
  await studio.steer('PATCH', `/experiments/${id}`, { share: 100 });
  assert.equal((await studio.read(inside)).body.config.reward, 200);
  await studio.read(outside);
  assert.equal((await studio.waitForExposures(2)).length, 2);
});

test('a player keeps the variant when the condition no longer holds', async () => {
  const studio = await makeStudio(server);
  const condition = { properties: [{ property: 'level', operator: 'lt', value: 5 }] };
  const id = await studio.start({ ...HALVES, condition });
  const player_id = findPlayer(id, 1);
  assert.equal((await studio.read(player_id)).body.config.reward, 100);
  await identify(studio, player_id, { level: 4 });
  assert.equal((await studio.read(player_id)).body.config.reward, 200);
  await studio.waitForExposures(1);
  await identify(studio, player_id, { level: 9 });
  assert.equal((await studio.read(player_id)).body.config.reward, 200);
  const other = PLAYERS.find((each) => each !== player_id)!;
  await identify(studio, other, { level: 9 });
  assert.equal((await studio.read(other)).body.config.reward, 100);
  assert.equal((await studio.waitForExposures(1)).length, 1);
});

test('an exposure creates its player, but is not stored if the game is at its limit of players', async () => {
  const studio = await makeStudio(server);
  const { game_id } = studio;
  await server.database.execute(
    sql`UPDATE games SET limit_overrides = '{"players": 1}' WHERE id = ${game_id}`,
  );
  const id = await studio.start(HALVES);
  await studio.read('first');
  await studio.waitForExposures(1);
  assert.equal((await studio.steer('GET', '/players/first')).status, 200);
  const second = findPlayer(id, 1);
  assert.equal((await studio.read(second)).body.config.reward, 200);
  // By the time that the next exposure of `first` is stored, both exposures of `second` have been refused.
  const shop = [CONTROL, { ...GENEROUS, values: { shop: 1 } }];
  await studio.start({ ...HALVES, variants: shop });
  await studio.read(second);
  await studio.read('first');
  const exposures = await studio.waitForExposures(2);
  assert.deepEqual(
    exposures.map(({ player_id }) => player_id),
    ['first', 'first'],
  );
  assert.equal((await studio.steer('GET', `/players/${second}`)).status, 404);
});

test('after a merge the player keeps one variant, and if the two variants differed, results leave the player out', async () => {
  const studio = await makeStudio(server);
  const id = await studio.start(HALVES);
  const server_key = await server.makeKey(studio.game_id, 'production', 'server');
  const merge = async (player_id: string, from_player_id: string) => {
    const path = `/v1/players/${encodeURIComponent(player_id)}/merge`;
    const answer = await server.request('POST', path, {
      key: server_key,
      body: { from_player_id },
    });
    assert.equal(answer.status, 200, answer.text);
  };
  const [control, generous] = [findPlayer(id, 0), findPlayer(id, 1)];
  const newcomer = PLAYERS.findLast((player) => chooseVariant({ id, ...HALVES }, player) === 0)!;
  await identify(studio, newcomer, {});
  for (const player of [control, generous]) await studio.read(player);
  await studio.waitForExposures(2);

  await merge(newcomer, generous);
  const moved = await studio.waitForExposures(2);
  assert.ok(moved.some(({ player_id, variant }) => player_id === newcomer && variant === 1));
  assert.equal((await studio.read(newcomer)).body.config.reward, 200);

  // A device may still send the id of the player who was merged into another.
  assert.equal((await studio.read(generous)).body.config.reward, 200);
  const other = await studio.start(SHOP);
  await studio.read(generous);
  const followed = await studio.waitForExposures(3);
  assert.equal(followed.filter(({ player_id }) => player_id === newcomer).length, 2);
  const path = `/players/${encodeURIComponent(generous)}`;
  assert.equal((await studio.steer('GET', path)).status, 404);
  await studio.steer('POST', `/experiments/${other}/stop`);
  await studio.steer('DELETE', `/experiments/${other}`);

  await merge(newcomer, control);
  assert.deepEqual(await studio.waitForExposures(1), [{ player_id: newcomer, variant: 1 }]);
  const { body } = await studio.steer('GET', `/experiments/${id}/results`);
  assert.equal(body.mixed_players, 1);
  assert.deepEqual(
    body.variants.map(({ exposed_players }: { exposed_players: number }) => exposed_players),
    [0, 0],
  );
});

test('a merge waits for exposures that are being written before it changes any exposure', async () => {
  const studio = await makeStudio(server);
  const id = await studio.start(HALVES);
  const server_key = await server.makeKey(studio.game_id, 'production', 'server');
  await identify(studio, 'stays', {});
  await studio.read('ends');
  await studio.waitForExposures(1);
  const writer = await server.database.ofGame(studio.game_id).connect();
  try {
    const key = [studio.game_id, id];
    await writer.query('BEGIN');
    await writer.query(
      `SELECT FROM players WHERE game_id = $1 AND player_id = 'ends' FOR KEY SHARE`,
      [studio.game_id],
    );
    const merging = server.request('POST', '/v1/players/stays/merge', {
      key: server_key,
      body: { from_player_id: 'ends' },
    });
    await waitForLock(server.database);
    await writer.query(`SET LOCAL lock_timeout = '200ms'`);
    await writer.query(
      `INSERT INTO experiment_exposures
         (game_id, environment, player_id, experiment_id, variant, exposed_at)
       VALUES ($1, 'production', 'stays', $2, 0, now()) ON CONFLICT DO NOTHING`,
      key,
    );
    await writer.query('COMMIT');
    assert.equal((await merging).status, 200);
  } finally {
    writer.release();
  }
  const [left] = await studio.waitForExposures(1);
  assert.equal(left!.player_id, 'stays');
});

test('deleting an experiment deletes its exposures, and no other exposures', async () => {
  const studio = await makeStudio(server);
  const [first, second] = [await studio.start(HALVES), await studio.start(SHOP)];
  await studio.read('player 1');
  await studio.waitForExposures(2);
  await studio.steer('POST', `/experiments/${first}/stop`);
  await studio.steer('DELETE', `/experiments/${first}`);
  const left = await server.database.query(sql`
    SELECT experiment_id FROM experiment_exposures WHERE game_id = ${studio.game_id}`);
  assert.deepEqual(left, [{ experiment_id: second }]);
});
