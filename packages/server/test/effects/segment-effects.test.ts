import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ENVIRONMENTS } from '@overworld/contract/common';
import type { Environment } from '@overworld/contract/common';
import fc from 'fast-check';
import { sql } from '../../src/platform/database/sql.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { countCases } from '../long-forms.ts';
import { makeEffectStudio } from './effect-studio.ts';
import type { EffectStudio } from './effect-studio.ts';

const segment = (key: string, query: string) => ({ kind: 'segment', key, definition: { query } });

const json = (name: string, value: unknown) =>
  `${name}=${encodeURIComponent(JSON.stringify(value))}`;

const condition = fc.constantFrom(
  'tag=vip',
  json('filter', [{ property: 'level', operator: 'gte', value: 5 }]),
  json('events', [{ event_name: 'win', at_least: 2 }]),
  json('events', [{ event_name: 'win', did: false }]),
  json('players', { tags: ['new'], without_tags: ['vip'] }),
  json('players', { segment: 'Inner' }),
);
const conditions = fc.uniqueArray(condition, {
  minLength: 1,
  maxLength: 2,
  selector: (it) => it.split('=')[0],
});
const segments = fc.record({ Inner: fc.constantFrom('tag=new', 'tag=vip'), Outer: conditions });
const player = fc.record({
  environment: fc.constantFrom(...ENVIRONMENTS),
  tags: fc.subarray(['vip', 'new']),
  level: fc.integer({ min: 1, max: 9 }),
  wins: fc.integer({ min: 0, max: 3 }),
});

/** Counts those of a set that another one lacks. */
const countMissing = (set: Set<string>, other: Set<string>) =>
  [...set].filter((each) => !other.has(each)).length;

suite('the effects of a plan on segments', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  async function insertPlayer(
    { game_id, production_key, development_key }: EffectStudio,
    player_id: string,
    {
      environment,
      tags,
      level,
      wins,
    }: { environment: Environment; tags: string[]; level: number; wins: number },
  ) {
    await server.database.execute(sql`
      INSERT INTO players (game_id, environment, player_id, tags, properties)
      VALUES (${game_id}::uuid, ${environment}::environment, ${player_id}, ${tags}::text[],
        ${JSON.stringify({ level })}::jsonb)`);
    if (wins === 0) return;
    const key = environment === 'production' ? production_key : development_key;
    const event = { event_name: 'win', session_id: 's', player_id };
    const body = Array.from({ length: wins }, () => event);
    assert.equal((await server.request('POST', '/v1/track', { key, body })).status, 202);
  }

  /** Lists the players of a query, as the page of segments does. */
  async function listMembers({ game_id, token }: EffectStudio, environment: string, query: string) {
    const path = `/v1/games/${game_id}/analytics/segment?environment=${environment}&limit=200&${query}`;
    const { status, body, text } = await server.request('GET', path, { token });
    assert.equal(status, 200, text);
    return new Set((body.players as { player_id: string }[]).map(({ player_id }) => player_id));
  }

  test('those who join and leave are those who are listed after the apply alone, or before it alone', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(player, { maxLength: 40 }),
        segments,
        segments,
        async (players, old, next) => {
          const studio = await makeEffectStudio(server);
          for (const [index, each] of players.entries()) {
            await insertPlayer(studio, `p${index}`, each);
          }
          const documents = (found: typeof old) => [
            segment('Inner', found.Inner),
            segment('Outer', found.Outer.join('&')),
          ];
          assert.equal((await studio.planAndApply(documents(old))).status, 200);
          const more = { replace_used: true };
          const { plan, effects } = await studio.planEffects(documents(next));
          const list = async (found: typeof old) => {
            const lists = new Map<string, Set<string>>();
            for (const environment of ENVIRONMENTS) {
              const members = await listMembers(studio, environment, found.Outer.join('&'));
              lists.set(environment, members);
            }
            return lists;
          };
          const earlier = await list(old);
          await studio.applyPlan(documents(next), plan, more);
          const later = await list(next);
          for (const environment of ENVIRONMENTS) {
            const effect = effects.find(
              (each) => each.key === 'Outer' && each.environment === environment,
            );
            const [was, is] = [earlier.get(environment)!, later.get(environment)!];
            const count = players.filter((each) => each.environment === environment).length;
            if (effect === undefined) {
              // The segment itself has not changed, or there are no players.
              assert.ok(count === 0 || old.Outer.join() === next.Outer.join());
              continue;
            }
            assert.deepEqual(effect.numbers, {
              players: count,
              before: was.size,
              after: is.size,
              joined: countMissing(is, was),
              left: countMissing(was, is),
            });
          }
        },
      ),
      { numRuns: countCases(60) },
    );
  });

  test('a change, a new segment and a deletion are said in sentences', async () => {
    const studio = await makeEffectStudio(server);
    const wordsOf = async (...plan: Parameters<EffectStudio['planEffects']>) =>
      (await studio.planEffects(...plan)).effects.map(({ words }) => words);
    assert.deepEqual(await wordsOf([segment('A', 'tag=vip')]), ['The game has no players.']);
    const one = { environment: 'production' as const, level: 1, wins: 0 };
    await insertPlayer(studio, 'a', { ...one, tags: ['vip', 'new'] });
    await insertPlayer(studio, 'd', { ...one, tags: ['vip'] });
    await insertPlayer(studio, 'b', { ...one, tags: ['new'] });
    await insertPlayer(studio, 'c', { ...one, tags: ['new'] });
    assert.deepEqual(await wordsOf([segment('A', 'tag=vip')]), [
      '2 of 4 players of production are in it.',
    ]);
    await studio.planAndApply([segment('A', 'tag=vip')]);
    assert.deepEqual(await wordsOf([segment('A', 'tag=new')]), [
      '2 of 4 players of production join it and 1 leaves it: 3 instead of 2 are in it.',
    ]);
    assert.deepEqual(await wordsOf([], { prune: true }), [
      '2 of 4 players of production are in it now.',
    ]);
    const [words] = await wordsOf([segment('A', json('events', [{ event_name: 'win' }]))]);
    assert.match(words!, /^0 of .* instead of 2 are in it, by events of 20\S+ to 20\S+\.$/);
    assert.deepEqual(await wordsOf([segment('A', 'filter=[')]), [
      'Its players cannot be counted: filter is not valid JSON.',
    ]);
  });

  test('a plan asks 200 questions at most, and fewer large ones, and says so of the other changes', async () => {
    const studio = await makeEffectStudio(server);
    const users = Array.from({ length: 250 }, (_, index) =>
      segment(`S${index}`, json('players', { segment: 'Used' })),
    );
    const one = { property: 'x', operator: 'eq', value: 'x'.repeat(1_000) };
    const large = json(
      'filter',
      Array.from({ length: 10 }, () => one),
    );
    const countAsked = async (query: string) => {
      const { effects } = await studio.planEffects([segment('Used', query), ...users]);
      assert.equal(effects.length, 251);
      return effects.filter(({ words }) => !words.startsWith('The plan has too many changes'))
        .length;
    };
    assert.equal(await countAsked('tag=vip'), 200);
    const asked = await countAsked(large);
    assert.ok(asked > 50 && asked < 200, `${asked}`);
  });

  test('the definitions that use a segment are counted and named', async () => {
    const studio = await makeEffectStudio(server);
    await studio.planAndApply([
      segment('A', 'tag=vip'),
      segment('B', json('players', { segment: 'A' })),
    ]);
    const card = { report: 'retention', chart: 'curve', query: json('players', { segment: 'A' }) };
    const cards = ['One', 'Two', 'Three'].map((title) => ({ ...card, title }));
    const made = await studio.call('POST', '/dashboards', { name: 'Main', cards });
    assert.equal(made.status, 201, made.text);
    const { effects } = await studio.planEffects([segment('A', 'tag=new')]);
    assert.deepEqual(effects.at(-1), {
      kind: 'segment',
      key: 'A',
      about: 'uses',
      environment: null,
      part: null,
      state: 'counted',
      numbers: { uses: 4 },
      words:
        '3 cards and 1 saved segment use it: the card "One" of the dashboard "Main", the card "Two" of the dashboard "Main", the card "Three" of the dashboard "Main" and 1 other.',
    });
  });
});
