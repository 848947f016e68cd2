import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countCases } from '../../../../test/long-forms.ts';
import { useTwoServers } from '../../../../test/two-servers.ts';
import { makeMergeBoard } from '../test/merge-board.ts';
import { assertExactRanks } from '../test/exact-ranks.ts';

const nodes = useTwoServers();

/** A simple board of best scores in memory, with which the servers must agree. */
class NaiveBoard {
  readonly #entries = new Map<number, { score: number; at: number }>();
  readonly #sign: 1 | -1;
  #now = 0;

  constructor(order: 'ascending' | 'descending') {
    this.#sign = order === 'ascending' ? 1 : -1;
  }

  submit(player: number, score: number): void {
    const before = this.#entries.get(player);
    const sent = { score, at: this.#now++ };
    if (before === undefined || this.#sign * (score - before.score) < 0) {
      this.#entries.set(player, sent);
    }
  }

  merge(player: number, from: number): void {
    const [own, other] = [this.#entries.get(player), this.#entries.get(from)];
    this.#entries.delete(from);
    if (other === undefined) return;
    if (own === undefined || this.#isBefore(other, own)) this.#entries.set(player, other);
  }

  #isBefore(a: { score: number; at: number }, b: { score: number; at: number }): boolean {
    return this.#sign * (a.score - b.score) < 0 || (a.score === b.score && a.at < b.at);
  }

  standings(): string[] {
    return [...this.#entries]
      .toSorted(([, a], [, b]) => (this.#isBefore(a, b) ? -1 : 1))
      .map(([player, { score }]) => `p${player} ${score}`);
  }
}

const player = fc.nat(5);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('submit' as const), player, score: fc.nat(6) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('merge' as const), player, from: player }),
  },
);

test('two servers agree with a naive board after submits and merges', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('ascending' as const, 'descending' as const),
      fc.array(step, { minLength: 6, maxLength: 30 }),
      async (order, steps) => {
        const client = await makeMergeBoard(nodes[0]);
        await client.manage('PUT', '/b', { order });
        const model = new NaiveBoard(order);
        for (const [index, each] of steps.entries()) {
          const node = nodes[index % 2]!;
          if (each.kind === 'submit') {
            await client.submitOf(each.player, each.score, node);
            model.submit(each.player, each.score);
          } else {
            const { status } = await client.merge(each.player, each.from, node);
            assert.ok([200, 400, 404].includes(status));
            if (status === 200) model.merge(each.player, each.from);
          }
        }
        for (const node of nodes) {
          assert.deepEqual(await client.standings('b', '', node), model.standings());
        }
        await assertExactRanks(nodes, client);
      },
    ),
    { numRuns: countCases(12) },
  );
});

test('no score is lost when both players submit on two servers during the merge', async () => {
  for (let round = 0; round < countCases(8); round++) {
    const client = await makeMergeBoard(nodes[0]);
    await Promise.all([client.submitOf(1, 1), client.submitOf(2, 2), client.submitOf(3, 30)]);
    const scores = Array.from({ length: 40 }, (_, n) => ((n * 17) % 40) + 3);
    const [merged, ...answers] = await Promise.all([
      client.merge(2, 1, nodes[round % 2]),
      ...scores.map((score, n) => client.submitOf(1 + (n % 2), score, nodes[(n >> 1) % 2])),
    ]);
    assert.equal(merged.status, 200);
    assert.ok(answers.every(({ status }) => status <= 201));
    await assertExactRanks(nodes, client);
    const standings = await client.standings('b');
    const best = Math.max(...standings.filter((line) => !line.startsWith('p3')).map(scoreOf));
    assert.equal(best, Math.max(...scores));
  }
});

const scoreOf = (line: string) => Number(line.split(' ')[1]);
