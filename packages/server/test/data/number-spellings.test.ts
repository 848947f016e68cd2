import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { REPORT_CHARTS } from '@overworld/contract/dashboards/charts';
import type { Operation } from '@overworld/contract/operation';
import { OPERATIONS } from '@overworld/contract/operations';
import fc from 'fast-check';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { countCases } from '../long-forms.ts';
import { makeSpelledGame } from './spelled-game.ts';
import type { SpelledGame } from './spelled-game.ts';
import { anySpellings } from './spelled-numbers.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const STEPS = JSON.stringify([{ event_name: 'hit' }, { event_name: 'hit' }]);

/** Checks that a report has one group for each number, with the players whom a filter finds. */
async function checkSplit(game: SpelledGame, report: string, query: Record<string, string> = {}) {
  const split = { split_by: 'property:n', split_limit: '50' };
  const { groups } = await game.get(report, { ...query, ...split });
  game.expectLabels(groups, report);
  for (const { value, spellings } of game.numbers) {
    const {
      kind: _kind,
      value: _value,
      ...group
    } = groups.find((each: { value: string }) => each.value === value);
    for (const players of [
      game.filterOf('properties', spellings[0]!),
      JSON.stringify({ values: [{ property: 'n', value }] }),
    ]) {
      const alone = await game.get(report, { ...query, players });
      for (const [member, numbers] of Object.entries(group)) {
        const ofAll = alone[member] ?? alone.total[member];
        assert.deepEqual(numbers, ofAll, `${report} ${value} ${member} ${players}`);
      }
    }
  }
}

/** Checks the groups of a report by a property of events, and the lists of players behind the groups. */
async function checkGroups(
  game: SpelledGame,
  report: string,
  query: Record<string, string>,
  playersOf: (group: Record<string, unknown>) => unknown,
) {
  const { groups, from, to } = await game.get(report, query);
  game.expectLabels(groups, report);
  const csv = await game.getText(report, { ...query, format: 'csv' });
  for (const group of groups) {
    const { value } = group;
    assert.equal(playersOf(group), game.players.get(value)!.length, `${report} ${value}`);
    const cell = { report: 'events', from, to, event_name: 'hit', property: 'n', value };
    await game.expectSegment({ cell: JSON.stringify(cell) }, value);
    assert.ok(csv.includes(`value,${value.startsWith('-') ? "'" : ''}${value},`), csv);
  }
}

/** The calls that group or choose by the values of properties. */
const CHECKS: Record<string, (game: SpelledGame) => Promise<void>> = {
  getActivePlayers: (game) => checkSplit(game, 'active-players'),
  getRetention: (game) => checkSplit(game, 'retention'),
  getSessionReport: (game) => checkSplit(game, 'sessions'),
  getEventCounts: (game) => checkSplit(game, 'events'),
  getRevenue: (game) => checkSplit(game, 'revenue'),
  getPaths: (game) => checkSplit(game, 'path', { event_name: 'hit' }),
  async getFunnel(game) {
    const query = { steps: STEPS, window_minutes: '60', limit: '50' };
    await checkSplit(game, 'funnel', query);
    await checkGroups(game, 'funnel', { ...query, breakdown: 'n' }, ({ steps }) => {
      return (steps as { players: number }[])[0]!.players;
    });
  },
  async getBreakdown(game) {
    const query = { event_name: 'hit', limit: '50' };
    await checkSplit(game, 'breakdown', query);
    await checkGroups(game, 'breakdown', { ...query, group_by: 'n' }, ({ players }) => players);
  },
  async getSegment(game) {
    for (const { value, spellings } of game.numbers) {
      const condition = game.conditionOf(spellings.at(-1)!);
      await game.expectSegment({ filter: `[${condition}]` }, value);
      await game.expectSegment({ events: `[{"event_name":"hit","filter":[${condition}]}]` }, value);
      const values = JSON.stringify({ values: [{ property: 'n', value }] });
      await game.expectSegment({ players: values }, value);
    }
  },
  async tagSegment(game) {
    const { value } = game.numbers[0]!;
    const players = JSON.stringify({ values: [{ property: 'n', value }] });
    const { changed } = await game.post('analytics/segment/tags', { players }, { tag: 'number' });
    assert.equal(changed, game.players.get(value)!.length);
  },
  async listPlayers(game) {
    for (const { value, spellings } of game.numbers) {
      for (const spelling of spellings) {
        const filter = `[${game.conditionOf(spelling)}]`;
        const { players } = await game.list('players', { filter, limit: '100' });
        const ids = players.map(({ player_id }: { player_id: string }) => player_id);
        assert.deepEqual(ids.toSorted(), game.players.get(value), spelling);
      }
    }
  },
};

/** The other calls that name properties. They keep values as they were sent, or look at no values. */
const OTHERS = [
  'identifyPlayer',
  'updatePlayer',
  'putEventSchema',
  'testEventSchema',
  'createGame',
  'updateGame',
  'putLeaderboard',
  'putRevenueSettings',
];

/** Calls with the conditions of rules, which `property-conditions.slow.test.ts` compares with filters. */
const RULES = [
  'previewConfig',
  'previewConfigRules',
  'putGameConfig',
  'createConfigSchedule',
  'updateConfigSchedule',
  'createExperiment',
  'updateExperiment',
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
  assert.deepEqual(named.toSorted(), known.toSorted());
  const reports = OPERATIONS.filter(
    ({ path }) =>
      /\/(analytics|experiments)\//.test(path) &&
      Object.hasOwn(REPORT_CHARTS, path.slice(path.lastIndexOf('/') + 1)),
  );
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

test('every report has one group for a number in all its spellings, with the players of a filter', async () => {
  const numbers = fc.uniqueArray(anySpellings(3), { minLength: 2, maxLength: 4 });
  const run = fc.asyncProperty(numbers, async (spelled) => {
    const game = await makeSpelledGame(server, [['3', '3.0', '3e0'], ...spelled]);
    for (const check of Object.values(CHECKS)) await check(game);
  });
  await fc.assert(run, { numRuns: countCases(5) });
});
