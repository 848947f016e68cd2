import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countCases } from '../../../../test/long-forms.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { useTwoServers } from '../../../../test/two-servers.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeBoardClient } from '../test/board-client.ts';
import type { BoardClient } from '../test/board-client.ts';
import { assertExactRanks } from '../test/exact-ranks.ts';
import { NaiveBoard } from '../test/naive-board.ts';

const MAX_GAIN = 5;
const nodes = useTwoServers();
let owner_token: string;

interface Step {
  kind: 'submit' | 'accept' | 'remove' | 'ban' | 'undo';
  player: number;
  score: number;
  node: 0 | 1;
}
/** A step that may also take an entry off a board. `NaiveBoard`, the simple model, cannot do this. */
type AnyStep = Step | (Omit<Step, 'kind'> & { kind: 'take off' });
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    { weight: 8, arbitrary: fc.constant('submit' as const) },
    { weight: 4, arbitrary: fc.constantFrom('accept', 'remove', 'ban', 'undo') },
  ),
  player: fc.nat(5),
  score: fc.nat(14),
  node: fc.constantFrom(0, 1),
});

async function makeQuarantine(): Promise<BoardClient> {
  const client = await makeBoardClient(nodes[0]);
  ({ token: owner_token } = await nodes[0].makeAccount({ game_id: client.game.game_id }));
  const rules = { max_gain: MAX_GAIN, first_gain_from: 0, on_violation: 'quarantine' };
  const { status } = await client.manage('PUT', '/b', { ...rules, keeps_ledger: true });
  assert.equal(status, 200);
  // Only known players can be banned.
  for (let player = 0; player < 6; player++) {
    const body = { player_id: `p${player}`, properties: {} };
    await nodes[0].request('POST', '/v1/identify', { key: client.game.production_key, body });
  }
  return client;
}

const manage = (node: TestServer, client: BoardClient, path: string, body?: object) =>
  node.request('POST', `/v1/games/${client.game.game_id}${path}?environment=production`, {
    token: owner_token,
    body,
  });

/** Returns the two players whose scores an `accept` or `remove` step accepts or removes. */
const chosen = ({ player }: AnyStep) => [player, (player + 1) % 6];

function run(
  client: BoardClient,
  each: AnyStep,
  decisions: readonly string[],
): Promise<TestAnswer> {
  const node = nodes[each.node];
  const { kind, player, score } = each;
  switch (kind) {
    case 'submit':
      return client.submit({ board_name: 'b', player_id: `p${player}`, score }, node);
    case 'ban':
      return manage(node, client, `/players/p${player}/leaderboard-bans`, {
        board_name: score % 2 ? 'b' : null,
      });
    case 'take off': {
      const state = score % 3 ? 'waiting' : 'removed';
      return manage(node, client, `/leaderboards/b/entries/p${player}/quarantine`, { state });
    }
    case 'undo': {
      const id = decisions[score % Math.max(1, decisions.length)];
      return manage(node, client, `/leaderboard-decisions/${id}/undo`);
    }
    default: {
      const player_ids = chosen(each).map((number) => `p${number}`);
      return manage(node, client, '/leaderboards/b/quarantine/decisions', {
        decision: kind,
        player_ids,
      });
    }
  }
}

test('two servers agree with a simple model after every submit, decision, ban and undo', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const client = await makeQuarantine();
      const model = new NaiveBoard(MAX_GAIN);
      const decisions: { id: string; undo: Parameters<NaiveBoard['undo']>[0] }[] = [];
      for (let player = 0; player < 6; player++) model.meet(player);
      for (const each of steps) {
        if (each.kind === 'undo' && decisions.length === 0) continue;
        const answer = await run(
          client,
          each,
          decisions.map(({ id }) => id),
        );
        const { status, body, text } = answer;
        if (each.kind === 'submit') {
          const shown = model.submit(each.player, each.score);
          assert.equal(status === 403 ? null : body.score, shown, text);
        } else if (each.kind === 'undo') {
          assert.equal(status, 200, text);
          const [decision] = decisions.splice(each.score % decisions.length, 1);
          model.undo(decision!.undo);
        } else if (each.kind === 'ban') {
          const undo = model.ban(each.player);
          if (undo !== null) {
            assert.equal(status, 201, text);
            decisions.push({ id: body.decision_id, undo });
          } else if (status === 201) {
            // The player was banned from this board and is now banned from all boards, or the other way
            // round. `NaiveBoard` has one ban per player, so this second ban is undone.
            await manage(nodes[0], client, `/leaderboard-decisions/${body.decision_id}/undo`);
          }
        } else {
          const undo = model[each.kind](chosen(each));
          assert.deepEqual(
            [status, body.decided],
            [undo.length > 0 ? 201 : 200, undo.length],
            text,
          );
          if (undo.length > 0) decisions.push({ id: body.decision_id, undo });
        }
        for (const node of nodes) {
          assert.deepEqual(await client.standings('b', '', node), model.standings());
        }
      }
    }),
    { numRuns: countCases(12) },
  );
});

const any_step: fc.Arbitrary<AnyStep> = fc
  .tuple(step, fc.nat(5))
  .map(([each, chance]) => (chance === 0 ? { ...each, kind: 'take off' } : each));

test('ranks stay exact while submits, decisions, bans and undos come at the same time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(any_step, { minLength: 2, maxLength: 16 }), { minLength: 2, maxLength: 5 }),
      async (bursts) => {
        const client = await makeQuarantine();
        const decisions: string[] = [];
        for (const burst of bursts) {
          const steps = burst.filter(({ kind }) => kind !== 'undo' || decisions.length > 0);
          const answers = await Promise.all(steps.map((each) => run(client, each, decisions)));
          for (const { status, body, text } of answers) {
            assert.ok([200, 201, 403, 404, 409].includes(status), text);
            if (body.decision_id) decisions.push(body.decision_id);
          }
          await assertExactRanks(nodes, client, undefined, true);
          await assertNoBannedEntries(client);
        }
      },
    ),
    { numRuns: countCases(12) },
  );
});

async function assertNoBannedEntries({ game: { game_id } }: BoardClient): Promise<void> {
  const rows = await nodes[0].database.query<object>(sql`
    SELECT entry.player_id FROM leaderboard_entries AS entry
    JOIN leaderboard_decisions AS ban USING (game_id, environment, player_id)
    WHERE game_id = ${game_id} AND kind = 'ban' AND undone_at IS NULL`);
  assert.deepEqual(rows, []);
}
