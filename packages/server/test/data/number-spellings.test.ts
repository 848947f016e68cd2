import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { REPORTS } from '@overworld/contract/analytics/reports';
import type { Operation } from '@overworld/contract/operation';
import { OPERATIONS } from '@overworld/contract/operations';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { makeSpelledGame } from './spelled-game.ts';
import { CHECKS, checkSpellings } from './spelling-checks.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/** The other calls that name properties. They keep values as they were sent, or look at no values. */
const OTHERS = [
  'identifyPlayer',
  'updatePlayer',
  'putEventSchema',
  'createGame',
  'updateGame',
  'putLeaderboard',
  'putMetric',
  'putRevenueSettings',
];

/** Calls with the conditions of rules, which `property-conditions.slow.test.ts` compares with filters. */
const RULES = [
  'putGameConfig',
  'createConfigSchedule',
  'updateConfigSchedule',
  'createExperiment',
  'updateExperiment',
  // A message is for the players of a segment, whom the code of rules chooses.
  'postMessage',
  'previewMessage',
  'sendMessage',
  'createMessageSchedule',
  'updateMessageSchedule',
  // Events move a statistic by the SQL of filters.
  'createStat',
  'updateStat',
];

const mentions = (schema: unknown): boolean =>
  typeof schema === 'object' &&
  schema !== null &&
  Object.entries(schema).some(([member, value]) =>
    member === 'description' ? /propert/i.test(String(value)) : mentions(value),
  );
const namesProperties = ({ query, body }: Operation) => mentions(query) || mentions(body);

test('each call of the API that names properties is checked here, or listed with the reason', () => {
  const named = OPERATIONS.filter(namesProperties).map(({ id }) => id);
  const known = [...Object.keys(CHECKS), ...OTHERS, ...RULES];
  const missing = named.filter((id) => !known.includes(id));
  assert.deepEqual(missing, [], 'add a check to CHECKS of spelling-checks.ts, or the id to OTHERS');
  assert.deepEqual(
    known.filter((id) => !named.includes(id)),
    [],
  );
  const routes = Object.values(REPORTS).map(({ route }): string => route);
  const reports = OPERATIONS.filter(({ method, path }) => routes.includes(`${method} ${path}`));
  assert.equal(reports.length, routes.length);
  const unsplit = reports.map(({ id }) => id).filter((id) => !Object.hasOwn(CHECKS, id));
  assert.deepEqual(unsplit.toSorted(), ['getDataQuality', 'getExperimentResults']);
});

test('players whose first version was spelled in two ways have the same first version', async () => {
  const { game_id, production_key: key } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  for (const version of ['2.0', '2']) {
    const body = `{"event_name":"session_start","session_id":"s","player_id":"p${version}","properties":{"app_version":${version}}}`;
    assert.equal((await server.request('POST', '/v1/track', { key, body })).status, 202);
  }
  const path = `/v1/games/${game_id}/analytics/active-players?split_by=property:first_version`;
  const { body } = await server.request('GET', path, { token });
  const values = body.groups.map(({ value }: { value: string }) => value);
  assert.deepEqual(values, ['2']);
});

test('every report has one group for a number in all its spellings, with the players of a filter and of a rule', () =>
  checkSpellings(server, [
    ['3', '3.0', '3e0'],
    ['9007199254740993', '9007199254740993.0'],
    ['9007199254740992'],
  ]));

test('a number that is too small for a double is 0 in properties, filters and rules', async () => {
  const game = await makeSpelledGame(server, [['0', '1']], []);
  for (const tiny of ['1e-20000', '1e-400', `0.${'0'.repeat(400)}1`]) {
    const filter = `[${game.conditionOf(tiny)}]`;
    const { players } = await game.list('players', { filter });
    assert.deepEqual(
      players.map(({ player_id }: { player_id: string }) => player_id),
      ['p0'],
    );
    const rules = `[{"value":1,"properties":${filter}}]`;
    const preview = await game.post('config/preview/rules', {}, `{"key":"a","rules":${rules}}`);
    assert.deepEqual(preview.by_rule, [1], tiny);
  }
});

test('a number and the text that is written like it are one group, and conditions tell them apart', async () => {
  const game = await makeSpelledGame(server, [['3', '3.0']], ['3', '3.0']);
  const query = { event_name: 'hit', group_by: 'n' };
  const { groups } = await game.get('breakdown', query);
  const players = Object.fromEntries(
    groups.map((group: { value: string; players: number }) => [group.value, group.players]),
  );
  assert.deepEqual(players, { 3: 3, '3.0': 1 });
  for (const [value, ids] of [
    ['3', ['p0', 'p1']],
    ['"3"', ['p2']],
    ['"3.0"', ['p3']],
  ] as const) {
    const filter = `[${game.conditionOf(value)}]`;
    const { players: matches } = await game.list('players', { filter });
    const found = matches.map(({ player_id }: { player_id: string }) => player_id);
    assert.deepEqual(found.toSorted(), ids, value);
    const rules = `[{"value":1,"properties":${filter}}]`;
    const preview = await game.post('config/preview/rules', {}, `{"key":"a","rules":${rules}}`);
    assert.deepEqual(preview.by_rule, [ids.length], value);
  }
});
