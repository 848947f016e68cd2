import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { BoardRule } from '@overworld/contract/leaderboards/rules';
import fc from 'fast-check';
import { sql } from '../../src/platform/database/sql.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { countCases } from '../long-forms.ts';
import { makeEffectStudio } from './effect-studio.ts';
import type { EffectStudio } from './effect-studio.ts';

const board = (key: string, definition: Record<string, unknown>) => ({
  kind: 'leaderboard',
  key,
  definition,
});

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
/** The rules that the ledger can tell about. It has no metadata. */
const ruleSettings = {
  max_gain: optional(fc.integer({ min: 1, max: 60 })),
  max_gain_per_hour: optional(fc.integer({ min: 1, max: 60 })),
  min_submit_interval_ms: optional(fc.constantFrom(1_000, 600_000, 3_600_000)),
} satisfies Record<Exclude<BoardRule, 'required_metadata'>, fc.Arbitrary<unknown>>;
const rules = fc.record({
  order: fc.constantFrom('descending', 'ascending'),
  on_violation: fc.constantFrom('quarantine', 'refuse'),
  writes_from: fc.constantFrom('anyone', 'anyone', 'verified', 'server'),
  min_score: optional(fc.constant(5)),
  max_score: optional(fc.constant(90)),
  first_gain_from: optional(fc.integer({ min: 0, max: 60 })),
  ...ruleSettings,
});
/** Settings that let every submit into the ledger. */
const present = fc.constantFrom(
  {},
  { on_violation: 'quarantine', max_gain: 20, first_gain_from: 0 },
);
const submit = fc.record({
  player: fc.integer({ min: 1, max: 4 }),
  score: fc.integer({ min: 0, max: 100 }),
  after_ms: fc.constantFrom(500, 1_000, 60_000, 1_800_000, 3_600_000, 9_000_000),
  is_server: fc.boolean(),
});

suite('the effects of a plan on submits to boards', () => {
  let server: TestServer;
  let now_ms = Date.now();
  before(async () => {
    server = await startTestServer({ clock: () => new Date(now_ms) });
  });
  after(() => server.close());

  async function makeStudio() {
    const studio = await makeEffectStudio(server);
    const server_key = await server.makeKey(studio.game_id, 'production', 'server');
    const submitScore = (
      board_name: string,
      { player, score, is_server }: { player: number; score: number; is_server: boolean },
    ) =>
      server.request('POST', '/v1/leaderboards', {
        key: is_server ? server_key : studio.production_key,
        body: { board_name, player_id: `p${player}`, score },
      });
    return { ...studio, submitScore };
  }

  /** Counts the scores that the rules of a board have sent into quarantine. */
  async function listQuarantined({ game_id }: EffectStudio, board_name: string) {
    const rows = await server.database.query<{ rule: string; count: number }>(sql`
      SELECT rule, count(*) AS count FROM leaderboard_submits
      WHERE game_id = ${game_id}::uuid AND board_name = ${board_name} AND outcome = 'quarantined'
      GROUP BY rule`);
    return new Map(rows.map(({ rule, count }) => [rule, count]));
  }

  test('the submits that a rule stops are those that it stops on a board that has had it all the time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(submit, { maxLength: 40 }),
        present,
        rules,
        async (submits, old, next) => {
          const studio = await makeStudio();
          const ledger = { keeps_ledger: true, order: next.order };
          const made = await studio.planAndApply([
            board('a', { ...old, ...ledger }),
            board('b', { ...next, ...ledger }),
          ]);
          assert.equal(made.status, 200, made.text);
          const stopped = new Map<string, number>();
          const add = (setting: string) => stopped.set(setting, (stopped.get(setting) ?? 0) + 1);
          for (const each of submits) {
            now_ms += each.after_ms;
            const first = await studio.submitScore('a', each);
            assert.ok([200, 201].includes(first.status), first.text);
            const { status, body } = await studio.submitScore('b', each);
            if (status === 400) add('bounds');
            else if (status === 403) add((body.rule as string | undefined) ?? 'writes_from');
          }
          const quarantined = await listQuarantined(studio, 'b');
          for (const [rule, count] of quarantined) stopped.set(rule, count);
          const was_quarantined = await listQuarantined(studio, 'a');

          const { effects } = await studio.planEffects([board('a', { ...next, ...ledger })]);
          const said = new Map(effects.map(({ part, numbers }) => [part, numbers]));
          if (submits.length === 0) return;
          for (const [setting, count] of stopped) {
            assert.equal(said.get(setting)?.stopped, count, setting);
          }
          for (const [part, numbers] of said) {
            assert.equal(numbers.submits, submits.length);
            assert.equal(numbers.stopped, stopped.get(part!) ?? 0, part!);
            assert.equal(numbers.unknown, undefined);
            if (part === 'max_gain' && 'max_gain' in old) {
              assert.equal(numbers.stopped_before, was_quarantined.get('max_gain') ?? 0);
            }
          }
        },
      ),
      { numRuns: countCases(60) },
    );
  });

  test('a board without a ledger says so, and one with a ledger says the numbers in sentences', async () => {
    const studio = await makeStudio();
    const wordsOf = async (definition: Record<string, unknown>) =>
      (await studio.planEffects([board('a', definition)])).effects.map(({ words }) => words);
    assert.deepEqual(await wordsOf({ max_gain: 5 }), []);
    await studio.planAndApply([board('a', {})]);
    assert.deepEqual(await wordsOf({ max_gain: 5 }), [
      'The board has no ledger, so it is not known how many submits the settings would have stopped.',
    ]);
    await studio.planAndApply([board('a', { keeps_ledger: true, ledger_days: 3 })]);
    assert.deepEqual(await wordsOf({ keeps_ledger: true, ledger_days: 3, max_gain: 5 }), [
      'No submits of the last 3 days are in the ledger.',
    ]);
    await studio.planAndApply([board('a', { keeps_ledger: true, max_gain: 50 })]);
    for (const score of [10, 20, 21, 90]) {
      await studio.submitScore('a', { player: 1, score, is_server: false });
    }
    assert.deepEqual(
      await wordsOf({
        keeps_ledger: true,
        max_gain: 5,
        on_violation: 'quarantine',
        min_score: 15,
        required_metadata: ['level'],
      }),
      [
        'The ledger has no metadata, so it is not known how many submits lack `level`.',
        '`min_score` and `max_score` would have refused 1 of 4 submits of the last 7 days in the ledger of production.',
        'rule `max_gain` would have quarantined 1 of 4 submits of the last 7 days in the ledger of production, instead of the 1 that it stopped.',
      ],
    );
  });

  test('what was before the last 7 days counts as it was', async () => {
    const studio = await makeStudio();
    const ledger = { keeps_ledger: true };
    await studio.planAndApply([board('a', ledger)]);
    const age = async (days: number) => {
      const aged_ms = now_ms - days * 86_400_000;
      const aged_at = new Date(aged_ms).toISOString();
      await server.database.execute(sql`
        UPDATE leaderboard_submits
        SET version = version - ${days * 86_400_000_000}::bigint,
          submitted_at = ${aged_at}::timestamptz, counted_ms = ${aged_ms}::bigint
        WHERE game_id = ${studio.game_id}::uuid`);
      await server.database.execute(sql`
        UPDATE leaderboard_entries SET updated_at = ${aged_at}::timestamptz
        WHERE game_id = ${studio.game_id}::uuid`);
    };
    // The ledger has lost the first score of the first player, and still has that of the second one.
    await studio.submitScore('a', { player: 1, score: 10, is_server: false });
    await server.database.execute(
      sql`DELETE FROM leaderboard_submits WHERE game_id = ${studio.game_id}::uuid`,
    );
    await studio.submitScore('a', { player: 2, score: 10, is_server: false });
    await age(10);
    await studio.submitScore('a', { player: 1, score: 12, is_server: false });
    await studio.submitScore('a', { player: 2, score: 12, is_server: false });
    await studio.submitScore('a', { player: 2, score: 5, is_server: false });
    const numbersOf = async (more: object) =>
      (await studio.planEffects([board('a', { ...ledger, ...more })])).effects.map(
        ({ numbers }) => numbers,
      );
    const submits = 3;
    // 2 points in 240 hours are slow.
    assert.deepEqual(await numbersOf({ max_gain_per_hour: 0.02 }), [
      { stopped: 0, submits },
      { unknown: 1, submits },
    ]);
    assert.deepEqual(await numbersOf({ max_gain_per_hour: 0.001 }), [
      { stopped: 1, submits },
      { unknown: 1, submits },
    ]);
    // The last two came at the same time.
    assert.deepEqual(await numbersOf({ min_submit_interval_ms: 60_000 }), [
      { stopped: 1, submits },
    ]);
  });

  test('a plan that also changes what a board keeps counts by what it would have kept', async () => {
    const studio = await makeStudio();
    await studio.planAndApply([board('a', { keeps_ledger: true, keeps: 'sum' })]);
    for (const score of [5, 5, 5, 60]) {
      await studio.submitScore('a', { player: 1, score, is_server: false });
    }
    const next = { keeps_ledger: true, keeps: 'best', max_gain: 50 };
    const { effects } = await studio.planEffects([board('a', next)]);
    // The best score before 60 would be 5, although the sum was 15.
    assert.deepEqual(
      effects.map(({ part, numbers }) => [part, numbers]),
      [
        ['keeps', { players: 1 }],
        ['keeps', { players: 0 }],
        ['max_gain', { submits: 4, stopped: 1 }],
      ],
    );
  });

  test('a plan says when a board keeps something else, and for whom', async () => {
    const studio = await makeStudio();
    await studio.planAndApply([board('a', {})]);
    for (const player of [1, 2, 2]) {
      await studio.submitScore('a', { player, score: player, is_server: false });
    }
    const { effects } = await studio.planEffects([board('a', { keeps: 'sum' })]);
    assert.deepEqual(
      effects.map(({ words }) => words),
      [
        'From its next season in production on, the board keeps the sum of the scores of a player. The present one, with 2 players, ends as it began.',
        'In development, the board keeps the sum of the scores of a player at once, because its season has no scores.',
      ],
    );
  });
});
