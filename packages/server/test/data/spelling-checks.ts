import assert from 'node:assert/strict';
import { FILTER_OPERATORS, takesValue } from '@overworld/contract/players/filter-operators';
import { makeSpelledGame } from './spelled-game.ts';
import type { SpelledGame } from './spelled-game.ts';
import type { TestServer } from '../harness.ts';

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
        const ofAll = member in alone ? alone[member] : alone.total[member];
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

const OPERATORS = FILTER_OPERATORS.filter(takesValue);

/** The calls that group or choose by the values of properties. */
export const CHECKS: Record<string, (game: SpelledGame) => Promise<void>> = {
  getActivePlayers: (game) => checkSplit(game, 'active-players'),
  getRetention: (game) => checkSplit(game, 'retention'),
  getSessionReport: (game) => checkSplit(game, 'sessions'),
  getEventCounts: (game) => checkSplit(game, 'events'),
  getRevenue: (game) => checkSplit(game, 'revenue'),
  async getMetric(game) {
    await game.put('metrics/hits', { name: 'Hits', kind: 'players', event_name: 'hit' });
    await checkSplit(game, 'metric', { metric_key: 'hits' });
  },
  getLifetimeValue: (game) => checkSplit(game, 'lifetime-value'),
  getPaths: (game) => checkSplit(game, 'path', { event_name: 'hit' }),
  async getFunnel(game) {
    const query = { steps: STEPS, window_minutes: '60', limit: '50' };
    await checkSplit(game, 'funnel', query);
    await checkGroups(game, 'funnel', { ...query, breakdown: 'n' }, ({ steps }) => {
      return (steps as { players: number }[])[0]!.players;
    });
  },
  async getProgression(game) {
    const query = { start_event: 'hit', property: 'n' };
    await checkSplit(game, 'progression', query);
    const { steps, from, to } = await game.get('progression', query);
    game.expectLabels(steps, 'progression');
    for (const { value, players } of steps) {
      assert.equal(players, game.players.get(value)!.length, `progression ${value}`);
      const cell = { report: 'events', from, to, event_name: 'hit', property: 'n', value };
      await game.expectSegment({ cell: JSON.stringify(cell) }, value);
    }
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
  async countPlayers(game) {
    for (const { value, spellings } of game.numbers) {
      const filter = `[${game.conditionOf(spellings.at(-1)!)}]`;
      const { player_count } = await game.list('player-count', { filter });
      assert.equal(player_count, game.players.get(value)!.length, value);
    }
  },
  async previewConfigRules(game) {
    for (const { value, spellings } of game.numbers) {
      for (const spelling of spellings) {
        const rule = `{"value":1,"properties":[${game.conditionOf(spelling)}]}`;
        const body = `{"key":"gold","rules":[${rule}]}`;
        const { by_rule } = await game.post('config/preview/rules', {}, body);
        assert.deepEqual(by_rule, [game.players.get(value)!.length], spelling);
      }
    }
  },
  async previewConfig(game) {
    const rules = new Map(
      game.numbers.flatMap(({ spellings }) =>
        OPERATORS.map((operator) => {
          const condition = game.conditionOf(spellings.at(-1)!, operator);
          return [`${operator} ${spellings[0]!}`, condition];
        }),
      ),
    );
    await game.putRules(rules);
    const matched = new Map([...rules.keys()].map((key) => [key, new Set<string>()]));
    for (const player_id of [...game.players.values()].flat()) {
      const { config } = await game.post('config/preview', {}, JSON.stringify({ player_id }));
      assert.deepEqual(config, await game.readConfig(player_id));
      for (const [key, ids] of matched) if (config[key] === 1) ids.add(player_id);
    }
    for (const [key, condition] of rules) {
      const { players } = await game.list('players', { filter: `[${condition}]`, limit: '100' });
      const found = players.map(({ player_id }: { player_id: string }) => player_id);
      assert.deepEqual([...matched.get(key)!].toSorted(), found.toSorted(), condition);
    }
    for (const { spellings } of game.numbers) {
      for (const spelling of spellings) {
        const { config } = await game.post(
          'config/preview',
          {},
          `{"properties":{"n":${spelling}}}`,
        );
        assert.equal(config[`eq ${spellings[0]!}`], 1, spelling);
      }
    }
  },
  // The last check, because it deletes players.
  async deletePlayers(game) {
    const { value, spellings } = game.numbers[0]!;
    const filter = `[${game.conditionOf(spellings.at(-1)!)}]`;
    const { length } = game.players.get(value)!;
    const deletion = await game.post('player-deletion', { filter }, { player_count: length });
    assert.equal(deletion.player_count, length);
  },
};

/** The other calls/** Makes all checks in one new game. @param spelled Lists of spellings. Two lists may have the same number. */
export async function checkSpellings(server: TestServer, spelled: readonly string[][]) {
  const game = await makeSpelledGame(server, spelled);
  for (const check of Object.values(CHECKS)) await check(game);
}
