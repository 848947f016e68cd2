import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { ENVIRONMENTS } from '@overworld/contract/common';
import type { Environment } from '@overworld/contract/common';
import fc from 'fast-check';
import { sql } from '../../src/platform/database/sql.ts';
import { parseExactly } from '../../src/platform/json/exact-json.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { countCases } from '../long-forms.ts';
import { makeEffectStudio } from './effect-studio.ts';
import type { EffectStudio } from './effect-studio.ts';

const config = (key: Environment, parameters: object) => ({
  kind: 'remote_config',
  key,
  definition: { parameters },
});

interface Player {
  player_id: string;
  environment: Environment;
  tags: readonly string[];
  /** JSON texts by their names. */
  properties: Record<string, string>;
  seen_days_ago: number;
}

/** A random player. `seen_days_ago` is never near the 7 days of effects. */
const player = fc.record({
  environment: fc.constantFrom(...ENVIRONMENTS),
  tags: fc.subarray(['vip', 'new', 'left']),
  properties: fc.record(
    {
      level: fc.constantFrom('1', '5', '9007199254740993', '"5"'),
      team: fc.constantFrom('"red"', '["red"]'),
    },
    { requiredKeys: [] },
  ),
  seen_days_ago: fc.constantFrom(0.1, 6.9, 7.1, 30),
});

const value = fc.constantFrom(
  '1',
  '2',
  '9007199254740993',
  '9007199254740992',
  '{"a":1,"b":2}',
  '{"b":2,"a":1}',
  'null',
);
const rule = fc
  .tuple(
    fc.constantFrom(
      '"has_tags":["VIP"]',
      '"lacks_tags":["left"]',
      '"percentage":35.5',
      '"percentage":60,"salt":"x"',
      '"has_tags":["new"],"percentage":50',
      '"properties":[{"property":"level","operator":"gte","value":5}]',
      '"properties":[{"property":"level","operator":"eq","value":9007199254740993}]',
      '"properties":[{"property":"team","operator":"contains","value":"red"}]',
    ),
    value,
  )
  .map(([condition, text]) => `{${condition},"value":${text}}`);
const parameter = fc
  .tuple(value, fc.array(rule, { maxLength: 3 }))
  .map(([text, rules]) => `{"value":${text},"rules":[${rules.join()}]}`);
const parameters = fc
  .dictionary(fc.constantFrom('reward', 'shop', 'speed', 'odd "name"'), parameter, { maxKeys: 4 })
  .map((found) => Object.entries(found).map(([key, text]) => `${JSON.stringify(key)}:${text}`));
const configs = fc.record({ production: parameters, development: parameters });

suite('the effects of a plan on the configs of players', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  async function insertPlayers({ game_id }: EffectStudio, players: readonly Player[]) {
    for (const { environment, player_id, tags, properties, seen_days_ago } of players) {
      const members = Object.entries(properties).map(([name, text]) => `"${name}":${text}`);
      await server.database.execute(sql`
        INSERT INTO players (game_id, environment, player_id, tags, properties, last_seen_at)
        VALUES (${game_id}::uuid, ${environment}::environment, ${player_id}, ${tags}::text[],
          ${`{${members.join()}}`}::jsonb, now() - ${seen_days_ago}::float8 * interval '1 day')`);
    }
  }

  /** Asks for the config of each player, as games do. */
  const readConfigs = (studio: EffectStudio, players: readonly Player[]) =>
    Promise.all(
      players.map(async ({ environment, player_id }) => {
        const key = environment === 'production' ? studio.production_key : studio.development_key;
        const path = `/v1/config?player_id=${player_id}`;
        const { status, text } = await server.request('GET', path, { key });
        assert.equal(status, 200, text);
        return (parseExactly(text) as { config: Record<string, unknown> }).config;
      }),
    );

  const textOf = (documents: { production: string[]; development: string[] }) =>
    ENVIRONMENTS.map(
      (key) =>
        `{"kind":"remote_config","key":"${key}","definition":{"parameters":{${documents[key].join()}}}}`,
    );

  test('the number of players who get another value is the number of answers that differ after the apply', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(player, { maxLength: 40 }),
        configs,
        configs,
        async (found, old, next) => {
          const studio = await makeEffectStudio(server);
          const players = found.map((each, index): Player => ({ ...each, player_id: `p${index}` }));
          await insertPlayers(studio, players);
          const send = async (what: string, documents: string[], more = '') => {
            const path = `/v1/games/${studio.game_id}/definitions/${what}`;
            const body = `{"definitions":[${documents.join()}]${more}}`;
            const answer = await server.request('POST', path, { token: studio.token, body });
            assert.equal(answer.status, 200, answer.text);
            return answer.body;
          };
          const applyAll = async (documents: string[]) => {
            const planned = await send('plan', documents);
            return { planned, apply: () => send('apply', documents, `,"plan":"${planned.plan}"`) };
          };
          await (await applyAll(textOf(old))).apply();
          const { planned, apply } = await applyAll(textOf(next));
          const earlier = await readConfigs(studio, players);
          await apply();
          const later = await readConfigs(studio, players);

          const said = new Map<string, object>();
          for (const { environment, part, numbers, state } of planned.effects) {
            assert.equal(state, 'counted');
            said.set(`${environment} ${part}`, numbers);
          }
          for (const environment of ENVIRONMENTS) {
            const active = players
              .map((each, index) => ({ ...each, index }))
              .filter((each) => each.environment === environment && each.seen_days_ago < 7);
            for (const name of ['reward', 'shop', 'speed', 'odd "name"']) {
              const changed = active.filter(
                ({ index }) => !isDeepStrictEqual(earlier[index]![name], later[index]![name]),
              ).length;
              const effect = said.get(`${environment} ${name}`) ?? {
                changed: 0,
                players: active.length,
              };
              assert.deepEqual(effect, { changed, players: active.length });
            }
          }
        },
      ),
      { numRuns: countCases(60) },
    );
  });

  test('each change is said in a sentence, in the environment that changes', async () => {
    const studio = await makeEffectStudio(server);
    const one = { environment: 'production', tags: [], properties: {}, seen_days_ago: 1 } as const;
    const old = [
      config('production', { reward: { value: 1 }, gone: { value: 1 }, same: { value: 1 } }),
    ];
    assert.equal((await studio.planAndApply(old)).status, 200);
    const next = [
      config('production', {
        reward: { value: 1, rules: [{ has_tags: ['vip'], value: 2 }] },
        fresh: { value: 0 },
        same: { value: 1, description: 'Another description' },
      }),
      config('development', { reward: { value: 1 } }),
    ];
    const wordsOf = async () =>
      (await studio.planEffects(next)).effects.map(({ words }) => words).toSorted();
    assert.deepEqual(await wordsOf(), [
      'No player was seen in development in the last 7 days.',
      'No player was seen in production in the last 7 days.',
    ]);
    await insertPlayers(studio, [
      { ...one, player_id: 'a', tags: ['vip'] },
      { ...one, player_id: 'b', tags: [] },
    ]);
    assert.deepEqual(await wordsOf(), [
      '1 of 2 players seen in production in the last 7 days gets another `reward`.',
      '2 of 2 players seen in production in the last 7 days get `fresh`, which is new.',
      '2 of 2 players seen in production in the last 7 days no longer get `gone`.',
      'No player was seen in development in the last 7 days.',
    ]);
  });

  test('the plan is the same with and without effects, and an apply has none', async () => {
    const studio = await makeEffectStudio(server);
    const documents = [config('production', { reward: { value: 1 } })];
    const { plan } = await studio.planEffects(documents);
    const path = `/v1/games/${studio.game_id}/definitions/plan?effects=none`;
    const bare = await server.request('POST', path, {
      token: studio.token,
      body: { definitions: documents },
    });
    assert.equal(bare.body.plan, plan);
    assert.equal('effects' in bare.body, false);
    const applied = await studio.apply(documents, { plan });
    assert.deepEqual([applied.status, 'effects' in applied.body], [200, false]);
  });

  test('with format=progress, the plan is the last line', async () => {
    const studio = await makeEffectStudio(server);
    const documents = [config('production', { id: { value: 'a\u2028b\n' } })];
    const path = `/v1/games/${studio.game_id}/definitions/plan`;
    const body = { definitions: documents };
    const { text } = await server.request('POST', `${path}?format=progress`, {
      token: studio.token,
      body,
    });
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const plain = await server.request('POST', path, { token: studio.token, body });
    assert.deepEqual(lines.at(-1), { report: plain.body });
    assert.ok(lines.length > 1);
    for (const { progress } of lines.slice(0, -1)) assert.equal(typeof progress.share, 'number');
  });
});
