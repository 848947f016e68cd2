import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SeasonReward } from '@overworld/contract/leaderboards/reward-fields';
import fc from 'fast-check';
import { findReward, listOwnRanks, rangesOf, requireSoundRewards } from './reward-ranks.ts';

const rewardOf = (ranks: Partial<SeasonReward>): SeasonReward => ({
  title: 'Well done',
  text: '',
  rewards: [],
  ...ranks,
});

test('a share of the entries counts a part of an entry as one', () => {
  const cases: [total: number, percent: number, last: number][] = [
    [0, 10, 0],
    [1, 10, 1],
    [25, 10, 3],
    [30, 10, 3],
    [100, 7, 7],
    [1_000, 0.1, 1],
    [1_000_000, 0.07, 700],
    [3, 100, 3],
  ];
  for (const [total, top_percent, last] of cases) {
    assert.deepEqual(rangesOf([rewardOf({ top_percent })], total), [{ from: 1, to: last }]);
  }
});

test('a rank gets the first reward that has it, and no rank gets two', () => {
  const ranks = fc.integer({ min: 1, max: 30 });
  const reward = fc.oneof(
    fc
      .tuple(ranks, ranks)
      .map(([a, b]) => rewardOf({ from_rank: Math.min(a, b), to_rank: Math.max(a, b) })),
    fc.integer({ min: 1, max: 100 }).map((top_percent) => rewardOf({ top_percent })),
  );
  fc.assert(
    fc.property(fc.array(reward, { maxLength: 6 }), fc.nat(40), (rewards, total) => {
      const ranges = rangesOf(rewards, total);
      const own = listOwnRanks(ranges, 3);
      for (const [place, { count, first_rank, last_rank, examples }] of own.entries()) {
        const expected = Array.from({ length: total }, (_, index) => index + 1).filter(
          (rank) => findReward(ranges, rank) === place,
        );
        assert.deepEqual(
          { count, first_rank, last_rank, examples },
          {
            count: expected.length,
            first_rank: expected[0] ?? null,
            last_rank: expected.at(-1) ?? null,
            examples: expected.slice(0, 3),
          },
        );
      }
    }),
  );
});

test('a reward needs ranks or a share, and not both', () => {
  const needs = 'season_rewards[0] must have from_rank and to_rank, or top_percent';
  const cases: [ranks: Partial<SeasonReward>, error: string][] = [
    [{}, needs],
    [{ from_rank: 1 }, needs],
    [{ to_rank: 3 }, needs],
    [{ from_rank: 1, to_rank: 3, top_percent: 5 }, needs],
    [{ from_rank: 1, top_percent: 5 }, needs],
    [{ from_rank: 4, to_rank: 3 }, 'season_rewards[0].to_rank must not be less than from_rank'],
    [
      { top_percent: 5, rewards: [{ type: 'achievement', key: 'a', quantity: 2 }] },
      'season_rewards[0].rewards[0].quantity is not allowed with achievement',
    ],
    [
      { top_percent: 5, rewards: [{ type: 'stat', key: 'a', value: 1, quantity: 2 }] },
      'season_rewards[0].rewards[0].quantity is not allowed with stat',
    ],
    [
      {
        top_percent: 5,
        rewards: [
          { type: 'item', key: 'a' },
          { type: 'item', key: 'a', value: 2 },
        ],
      },
      'season_rewards[0].rewards[1].value is not allowed with item',
    ],
    [
      { top_percent: 5, rewards: [{ type: 'stat', key: 'a' }] },
      'season_rewards[0].rewards[0].value is required',
    ],
    [
      { top_percent: 5, rewards: [{ type: 'stat', key: 'a', value: 0.000_000_1 }] },
      'season_rewards[0].rewards[0].value must have at most 6 decimals',
    ],
  ];
  for (const [ranks, error] of cases) {
    assert.throws(() => requireSoundRewards([rewardOf(ranks)]), { message: error });
  }
  requireSoundRewards([rewardOf({ from_rank: 1, to_rank: 1 }), rewardOf({ top_percent: 0.5 })]);
});
