import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { makeTaskDue } from '../../../platform/background/task-store.ts';
import { sql } from '../../../platform/database/sql.ts';
import { coins, ENV, makeSeasonClient, TASK } from '../test/season-client.ts';
import type { SeasonClient } from '../test/season-client.ts';

let server: TestServer;
let client: SeasonClient;
let setRewards: SeasonClient['setRewards'];
let submit: SeasonClient['score'];
let runTask: SeasonClient['runTask'];
let now: Date;
before(async () => {
  server = await startTestServer({ clock: () => now });
});
after(() => server.close());
beforeEach(async () => {
  now = new Date();
  client = await makeSeasonClient(server);
  ({ setRewards, score: submit, runTask } = client);
});

const titles = async (player_id: string): Promise<string[]> => {
  const path = `/v1/messages?player_id=${player_id}`;
  const { status, body, text } = await server.request('GET', path, {
    key: client.game.production_key,
  });
  assert.equal(status, 200, text);
  return body.messages.map(({ title }: { title: string }) => title);
};

/** Merges one player into another. */
const merge = async (player_id: string, from_player_id: string) => {
  const key = await server.makeKey(client.game.game_id, 'production', 'server');
  const path = `/v1/players/${player_id}/merge`;
  const { status, text } = await server.request('POST', path, { key, body: { from_player_id } });
  assert.equal(status, 200, text);
};

const listPlayers = async (season = 1): Promise<string[]> => {
  const path = `/b/seasons/${season}/rewards/players?limit=100&${ENV}`;
  const { status, body, text } = await client.manage('GET', path);
  assert.equal(status, 200, text);
  return body.players.map(
    ({ player_id, rank, reward, state }: Record<string, unknown>) =>
      `${player_id} ${rank} ${reward} ${state}`,
  );
};

test('each player of a season that was ended by hand gets the first reward of the rank, once', async () => {
  await setRewards(
    coins('Winner', { from_rank: 1, to_rank: 1 }),
    coins('Podium', { from_rank: 1, to_rank: 3 }),
    coins('Top half', { top_percent: 50 }),
  );
  for (let player = 1; player <= 9; player++) await submit(`p${player}`, player);
  await client.manage('POST', `/b/reset?${ENV}`);
  await submit('p1', 100);
  await runTask();
  assert.deepEqual(await listPlayers(), [
    'p9 1 0 given',
    'p8 2 1 given',
    'p7 3 1 given',
    'p6 4 2 given',
    'p5 5 2 given',
  ]);
  assert.deepEqual(await titles('p9'), ['Winner']);
  assert.deepEqual(await titles('p8'), ['Podium']);
  assert.deepEqual(await titles('p4'), []);
  // A further look gives nothing again.
  await server.database.transaction((tx) => makeTaskDue(tx, TASK));
  await server.database.execute(sql`
    UPDATE leaderboard_reward_runs SET state = 'waiting', began_at = now() - interval '1 minute'
    WHERE game_id = ${client.game.game_id}`);
  await runTask();
  assert.deepEqual(await titles('p9'), ['Winner']);
  const { body } = await client.manage('GET', `/b/seasons/1/rewards?${ENV}`);
  assert.deepEqual(
    body.rewards.map(({ player_count, given_count }: Record<string, number>) => [
      player_count,
      given_count,
    ]),
    [
      [1, 1],
      [2, 2],
      [2, 2],
    ],
  );
  const [message] = (
    await server.request('GET', '/v1/messages?player_id=p9', { key: client.game.production_key })
  ).body.messages;
  const claimed = await server.request('POST', `/v1/messages/${message.id}/claim`, {
    key: client.game.production_key,
    body: { player_id: 'p9' },
  });
  assert.equal(claimed.status, 200, claimed.text);
});

test('a season that ends by its schedule is rewarded by the rewards of its end', async () => {
  await client.manage('PUT', '/b', {
    reset_schedule: 'daily',
    season_rewards: [coins('Best', { from_rank: 1, to_rank: 1 })],
  });
  await submit('p1', 5);
  await submit('p2', 4);
  now = new Date(now.getTime() + 26 * 3_600_000);
  await setRewards(coins('Too late', { from_rank: 1, to_rank: 5 }));
  await runTask();
  assert.deepEqual(await titles('p1'), ['Best']);
  assert.deepEqual(await titles('p2'), []);
});

test('a season that ends by its schedule is rewarded before the next one has a score', async () => {
  await client.manage('PUT', '/b', {
    reset_schedule: 'daily',
    season_rewards: [coins('Best', { from_rank: 1, to_rank: 1 })],
  });
  await submit('p1', 5);
  await server.database.execute(sql`
    UPDATE leaderboard_seasons SET ends_at = now() - interval '1 hour'
    WHERE game_id = ${client.game.game_id}`);
  await waitUntil('the end is announced', async () => {
    await server.database.execute(sql`
      UPDATE leaderboard_reward_runs SET began_at = now() - interval '1 minute'
      WHERE game_id = ${client.game.game_id} AND state = 'waiting'`);
    await server.database.transaction((tx) => makeTaskDue(tx, TASK));
    return (await titles('p1')).length > 0;
  });
  assert.deepEqual(await titles('p1'), ['Best']);
  await submit('p1', 1);
  await runTask();
  assert.deepEqual(await listPlayers(), ['p1 1 0 given']);
});

test('a player who was erased while the ranks were read is forgotten', async () => {
  await setRewards(coins('All', { top_percent: 100 }));
  for (const name of ['p1', 'p2']) await submit(name, 5);
  await client.manage('POST', `/b/reset?${ENV}`);
  const { game_id } = client.game;
  const erased = await server.request('DELETE', `/v1/games/${game_id}/players/p1?${ENV}`, {
    token: (await server.makeAccount({ game_id })).token,
  });
  assert.equal(erased.status, 204);
  // What the statement that reads the ranks stores if it began before the erasure.
  await server.database.execute(sql`
    INSERT INTO leaderboard_rewarded_players
      (game_id, environment, board_name, season, player_id, rank, reward, state)
    VALUES (${game_id}, 'production', 'b', 1, 'p1', 1, 0, 'due')`);
  await runTask();
  assert.deepEqual(await listPlayers(), ['p2 1 0 given']);
});

test('a score that waits holds back only its own reward, and an accepted one is rewarded later', async () => {
  await client.manage('PUT', '/b', {
    on_violation: 'quarantine',
    max_gain: 10,
    first_gain_from: 0,
    season_rewards: [
      coins('First', { from_rank: 1, to_rank: 1 }),
      coins('Others', { top_percent: 100 }),
    ],
  });
  for (const [player, score] of [
    ['p1', 9],
    ['p2', 8],
    ['p3', 7],
  ] as const) {
    await submit(player, score);
  }
  await submit('p3', 500);
  await submit('p4', 600);
  await submit('p5', 700);
  await client.manage('POST', `/b/reset?${ENV}`);
  await runTask(1, 'giving');
  await waitUntil('the others have theirs', async () => (await titles('p2')).length > 0);
  assert.deepEqual(await listPlayers(), [
    'p1 1 0 given',
    'p2 2 1 given',
    'p3 null null held',
    'p4 null null held',
    'p5 null null held',
  ]);
  const decide = (decision: string, player_ids: string[]) =>
    client.manage('POST', `/b/quarantine/decisions?${ENV}`, { decision, player_ids, season: 1 });
  assert.equal((await decide('accept', ['p4'])).status, 201);
  await waitUntil('the accepted one has its own', async () => {
    await server.database.transaction((tx) => makeTaskDue(tx, TASK));
    return (await titles('p4')).length > 0;
  });
  // The rank of the accepted score is the first one. The reward of the other player stays.
  assert.deepEqual(await titles('p4'), ['First']);
  assert.deepEqual(await titles('p1'), ['First']);
  // Without the removed score, the public one of the player counts.
  assert.equal((await decide('remove', ['p3', 'p5'])).status, 201);
  await waitUntil('the public score is rewarded', async () => {
    await server.database.transaction((tx) => makeTaskDue(tx, TASK));
    return (await titles('p3')).length > 0;
  });
  assert.deepEqual(await titles('p3'), ['Others']);
  assert.deepEqual(await titles('p5'), []);
});

test('a past season without rewards can be rewarded once', async () => {
  for (let player = 1; player <= 20; player++) await submit(`p${player}`, player);
  const season_rewards = [coins('Top tenth', { top_percent: 10 })];
  const path = `/b/seasons/1/rewards?${ENV}`;
  const early = await client.manage('POST', path, { season_rewards });
  assert.deepEqual([early.status, early.body.error], [409, 'The season has not ended yet']);
  await client.manage('POST', `/b/reset?${ENV}`);
  assert.equal((await client.manage('GET', path)).status, 404);
  const preview = await client.manage('POST', `/b/season-rewards/preview?${ENV}`, {
    season: 1,
    season_rewards,
  });
  assert.equal(preview.status, 200, preview.text);
  assert.deepEqual(preview.body, {
    season: 1,
    total_entries: 20,
    waiting_scores: 0,
    rewards: [
      {
        title: 'Top tenth',
        first_rank: 1,
        last_rank: 2,
        player_count: 2,
        players: [
          { player_id: 'p20', player_name: null, rank: 1, score: 20 },
          { player_id: 'p19', player_name: null, rank: 2, score: 19 },
        ],
      },
    ],
  });
  assert.equal((await client.manage('POST', path, { season_rewards: [] })).status, 400);
  const begun = await client.manage('POST', path, { season_rewards });
  assert.deepEqual([begun.status, begun.body.state], [201, 'waiting'], begun.text);
  await runTask();
  assert.deepEqual(await titles('p20'), ['Top tenth']);
  assert.deepEqual(await titles('p18'), []);
  const again = await client.manage('POST', path, { season_rewards });
  assert.deepEqual([again.status, again.body.error], [409, 'The season is rewarded already']);
  const missing = await client.manage('POST', `/b/seasons/9/rewards?${ENV}`, { season_rewards });
  assert.deepEqual([missing.status, missing.body.error], [404, 'Season not found']);
});

test('a preview of the current season has the rewards of the board', async () => {
  await setRewards(
    coins('First', { from_rank: 1, to_rank: 1 }),
    coins('None', { from_rank: 1, to_rank: 1 }),
    coins('Rest', { top_percent: 100 }),
  );
  for (const player of ['a', 'b', 'c']) await submit(player, 5);
  const { body } = await client.manage('POST', `/b/season-rewards/preview?${ENV}`, {});
  assert.deepEqual(
    body.rewards.map(({ title, first_rank, last_rank, player_count }: Record<string, unknown>) => [
      title,
      first_rank,
      last_rank,
      player_count,
    ]),
    [
      ['First', 1, 1, 1],
      ['None', null, null, 0],
      ['Rest', 2, 3, 2],
    ],
  );
  const wrong = await client.manage('PUT', '/b', { season_rewards: [coins('x', {})] });
  assert.equal(
    wrong.body.error,
    'season_rewards[0] must have from_rank and to_rank, or top_percent',
  );
});

test('who was taken off the board before the message gets none', async () => {
  await setRewards(coins('All', { top_percent: 100 }));
  await submit('p1', 5);
  await submit('p2', 4);
  await client.submit({ board_name: 'other', player_id: 'p0', score: 1 });
  await client.manage('POST', `/b/reset?${ENV}`);
  await server.database.execute(sql`
    INSERT INTO leaderboard_rewarded_players
      (game_id, environment, player_id, board_name, season, rank, reward, state)
    VALUES (${client.game.game_id}, 'production', 'p0', 'b', 1, 7, 0, 'due')`);
  await runTask();
  assert.deepEqual(await listPlayers(), ['p1 1 0 given', 'p2 2 0 given', 'p0 7 0 gone']);
  assert.deepEqual(await titles('p0'), []);
});

const FIRST_AND_SECOND = [
  coins('first', { from_rank: 1, to_rank: 1 }),
  coins('second', { from_rank: 2, to_rank: 2 }),
];

test('two players who are merged get the better reward that is due, once', async () => {
  await setRewards(...FIRST_AND_SECOND);
  await submit('guest', 20);
  await submit('ada', 10);
  await client.manage('POST', `/b/reset?${ENV}`);
  const { game_id } = client.game;
  await server.database.execute(sql`
    UPDATE leaderboard_reward_runs SET began_at = now() + interval '1 day' WHERE game_id = ${game_id}`);
  for (const [player_id, rank] of [
    ['guest', 1],
    ['ada', 2],
  ] as const) {
    await server.database.execute(sql`
      INSERT INTO leaderboard_rewarded_players
        (game_id, environment, player_id, board_name, season, rank, reward, state)
      VALUES (${game_id}, 'production', ${player_id}, 'b', 1, ${rank}, ${rank - 1}, 'due')`);
  }
  await merge('ada', 'guest');
  await server.database.execute(sql`
    UPDATE leaderboard_reward_runs SET state = 'giving' WHERE game_id = ${game_id}`);
  await runTask();
  assert.deepEqual(await titles('ada'), ['first']);
  assert.deepEqual(await listPlayers(), ['ada 1 0 given']);
});

test('a merged player who has a reward of the season gets no second one', async () => {
  await setRewards(...FIRST_AND_SECOND);
  await submit('guest', 20);
  await submit('ada', 10);
  await client.manage('POST', `/b/reset?${ENV}`);
  await runTask();
  const { game_id } = client.game;
  await server.database.execute(sql`
    UPDATE leaderboard_rewarded_players SET state = 'due'
    WHERE game_id = ${game_id} AND player_id = 'guest'`);
  await merge('ada', 'guest');
  await server.database.execute(sql`
    UPDATE leaderboard_reward_runs SET state = 'giving' WHERE game_id = ${game_id}`);
  await runTask();
  assert.deepEqual(await listPlayers(), ['ada 2 1 given']);
});
