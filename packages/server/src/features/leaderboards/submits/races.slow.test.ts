import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { countCases } from '../../../../test/long-forms.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { assertExactRanks } from '../test/exact-ranks.ts';
import { makeBoardClient } from '../test/board-client.ts';
import type { BoardClient } from '../test/board-client.ts';
import { useTwoServers } from '../../../../test/two-servers.ts';

const nodes = useTwoServers();
let server: TestServer;
let secondNode: TestServer;
before(() => {
  [server, secondNode] = nodes;
});

const assertExact = (board: BoardClient, expected_entries?: number) =>
  assertExactRanks(nodes, board, expected_entries);

interface Submit {
  kind: 'submit';
  player: number;
  score: number;
  name: string | null;
  level: number | null;
  node: boolean;
}
type Step =
  | Submit
  | { kind: 'page'; node: boolean; offset: number; player: number }
  | { kind: 'remove'; player: number }
  | { kind: 'reset' }
  | { kind: 'order'; order: 'ascending' | 'descending' };

const player = fc.nat(11);
const submit = fc.record({
  kind: fc.constant('submit' as const),
  player,
  score: fc.oneof(fc.integer({ min: -4, max: 4 }), fc.constantFrom(-0, 5e-324, 1e308, 2 ** 53 + 2)),
  name: fc.option(fc.constantFrom('Ada', 'Eve')),
  level: fc.option(fc.nat(9)),
  node: fc.boolean(),
});
const page = fc.record({
  kind: fc.constant('page' as const),
  node: fc.boolean(),
  offset: fc.nat(12),
  player,
});
/** Submits and reads that go to both servers at the same time. */
const burst = fc.array(fc.oneof({ weight: 5, arbitrary: submit }, { weight: 1, arbitrary: page }), {
  minLength: 1,
  maxLength: 14,
});
const change = fc.oneof(
  fc.record({ kind: fc.constant('remove' as const), player }),
  fc.record({ kind: fc.constant('reset' as const) }),
  fc.record({
    kind: fc.constant('order' as const),
    order: fc.constantFrom('ascending' as const, 'descending' as const),
  }),
);

function run(board: BoardClient, step: Step): Promise<TestAnswer> {
  switch (step.kind) {
    case 'submit': {
      const { player: number, score, name, level, node } = step;
      const metadata = level === null ? null : { level };
      const body = { board_name: 'b', player_id: `p${number}`, score, player_name: name, metadata };
      return board.submit(body, node ? server : secondNode);
    }
    case 'page': {
      const query = `limit=3&offset=${step.offset}&player_id=p${step.player}`;
      return board.page('b', query, step.node ? server : secondNode);
    }
    case 'remove':
      return board.manage('DELETE', `/b/entries/p${step.player}`);
    case 'reset':
      return board.manage('POST', '/b/reset');
    case 'order':
      return board.manage('PUT', '/b', { order: step.order });
  }
}

interface Stored {
  score: number;
  player_name: string | null;
  metadata: { level: number } | null;
}

/** Returns the entry that a player should have after the answered submits of a season. */
function applySubmits(
  known: Stored | undefined,
  answered: [Submit, TestAnswer][],
  sign: 1 | -1,
): Stored | undefined {
  const best = answered.reduce(
    (score, [sent]) => (score * sign >= sent.score * sign ? score : sent.score + 0),
    known?.score ?? -sign * Infinity,
  );
  // No two improvements have the same score, so the scores tell the order of the improvements.
  const improvements = answered
    .filter(([, { body }]) => body.updated)
    .toSorted(([a], [b]) => sign * (a.score - b.score));
  let stored = known;
  for (const [sent, { status, body }] of improvements) {
    assert.ok(stored === undefined || sent.score * sign > stored.score * sign);
    assert.equal(status, stored === undefined ? 201 : 200);
    stored = {
      score: sent.score + 0,
      player_name: sent.name ?? stored?.player_name ?? null,
      metadata: sent.level === null ? (stored?.metadata ?? null) : { level: sent.level },
    };
    const { score, player_name, metadata } = body;
    assert.deepEqual({ score, player_name, metadata }, stored);
  }
  for (const [sent, { body }] of answered) {
    if (!body.updated) assert.ok(body.score * sign >= sent.score * sign);
  }
  assert.equal(stored?.score, best);
  return stored;
}

/** Checks that a page does not contradict itself. */
function assertPage({ status, body, text }: TestAnswer, sign: 1 | -1): void {
  assert.equal(status, 200, text);
  const lists = [body.entries, body.around] as { rank: number; score: number }[][];
  for (const list of lists) {
    for (const [index, entry] of list.entries()) {
      assert.ok(entry.rank <= body.total_entries);
      if (index === 0) continue;
      assert.equal(entry.rank, list[index - 1]!.rank + 1);
      assert.ok(entry.score * sign <= list[index - 1]!.score * sign, text);
    }
  }
  for (const entry of body.entries) {
    const other = body.around.find(({ rank }: { rank: number }) => rank === entry.rank);
    if (other !== undefined) assert.deepEqual(other, entry);
  }
}

test('two servers agree with a naive model under parallel submits and with changes between them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(burst, fc.option(change)), { minLength: 2, maxLength: 6 }),
      async (bursts) => {
        const board = await makeBoardClient(server);
        let sign: 1 | -1 = 1;
        let model = new Map<number, Stored>();
        for (const [steps, then] of bursts) {
          const answers = await Promise.all(steps.map((step) => run(board, step)));
          const submits = steps.flatMap((step, index): [Submit, TestAnswer][] =>
            step.kind === 'submit' ? [[step, answers[index]!]] : [],
          );
          steps.forEach((step, index) => {
            if (step.kind === 'page') assertPage(answers[index]!, sign);
          });
          for (const number of new Set(submits.map(([sent]) => sent.player))) {
            const own = submits.filter(([sent]) => sent.player === number);
            model.set(number, applySubmits(model.get(number), own, sign)!);
          }
          await assertExact(board, model.size);
          const { body } = await board.page('b', 'limit=100');
          for (const { player_id, score, player_name, metadata } of body.entries) {
            const expected = model.get(Number(player_id.slice(1)));
            assert.deepEqual({ score, player_name, metadata }, expected);
          }

          if (then === null) continue;
          const { status } = await run(board, then);
          if (then.kind === 'remove') {
            assert.equal(status, model.delete(then.player) ? 204 : 404);
          } else if (then.kind === 'order') {
            sign = then.order === 'descending' ? 1 : -1;
          } else if (status === 201) {
            model = new Map();
          }
          await assertExact(board, model.size);
        }
      },
    ),
    { numRuns: countCases(12) },
  );
});

test('two servers stay exact while entries are removed, seasons are reset and sort orders change during submits', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(burst, change, change), { minLength: 2, maxLength: 5 }),
      async (bursts) => {
        const board = await makeBoardClient(server);
        for (const [steps, ...changes] of bursts) {
          const answers = await Promise.all([...steps, ...changes].map((step) => run(board, step)));
          for (const { status } of answers) assert.ok([200, 201, 204, 404].includes(status));
          await assertExact(board);
        }
      },
    ),
    { numRuns: countCases(12) },
  );
});
