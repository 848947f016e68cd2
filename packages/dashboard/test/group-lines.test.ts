import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MetricKind } from '@overworld/contract/metrics/metric-limits';
import { foldingOf } from '../src/pages/metrics/metric-folding.ts';
import { foldMetric, linesOf, metricLine, sayLines } from '../src/reports/players/split-lines.ts';
import type { FoldedMetric } from '../src/reports/players/split-lines.ts';
import { placeLabels, stackLines } from '../src/ui/charts/group-lines.ts';

interface Day {
  day: string;
  paid: number;
  players: number;
}

const PAID: FoldedMetric<Day> = { of: ({ paid }) => paid, isSum: true };
const PER_PLAYER: FoldedMetric<Day> = {
  of: ({ paid, players }) => (players === 0 ? null : paid / players),
  base: ({ players }) => players,
};

const group = (
  value: string | null,
  players: number,
  kind: 'value' | 'other' | 'none' = 'value',
) => ({
  kind,
  value,
  days: [
    { day: '2026-03-01', paid: players * 2, players },
    { day: '2026-03-02', paid: players, players: players / 2 },
  ],
});
const sizeOf = (days: readonly Day[]) => Math.max(...days.map(({ players }) => players));

test('eight groups have lines of their own, and all others share one', () => {
  const groups = [
    ...Array.from({ length: 10 }, (_, index) => group(`v${index}`, 1000 - index)),
    group(null, 300, 'other'),
    group(null, 60, 'none'),
  ];
  const lines = linesOf(groups, metricLine<Day, (typeof groups)[number]>(PAID, sizeOf));
  assert.deepEqual(
    lines.map(({ name }) => name),
    ['v0', 'v1', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7', 'All others', 'Not set'],
  );
  const others = lines[8]!;
  assert.deepEqual(others.values, [(992 + 991 + 300) * 2, 992 + 991 + 300]);
  assert.equal(new Set(lines.map(({ color }) => color)).size, 10);
  assert.match(sayLines(groups, lines), /8 largest groups/);
});

test('the mean of several groups is weighted by their players', () => {
  const days = [
    { day: '', paid: 100, players: 10 },
    { day: '', paid: 0, players: 30 },
    { day: '', paid: 0, players: 0 },
  ];
  assert.equal(foldMetric(PER_PLAYER, days), 2.5);
  assert.equal(foldMetric(PAID, days), 100);
  assert.equal(foldMetric(PER_PLAYER, days.slice(2)), null);
});

test('of a defined metric, sums add up, means are weighted, and percentiles stay apart', () => {
  const fold = (kind: MetricKind, per: 'player' | null = null) =>
    foldMetric(foldingOf({ kind, per }), [
      { number: 10, base: 1 },
      { number: 2, base: 3 },
    ]);
  assert.equal(fold('sum'), 12);
  assert.equal(fold('average'), 4);
  assert.equal(fold('sum', 'player'), 4);
  assert.equal(fold('ratio'), 4);
  assert.equal(fold('percentile'), null);
});

test('a group of few players is grey, with words', () => {
  const groups = [group('de', 500), group('is', 49)];
  const lines = linesOf(groups, metricLine<Day, (typeof groups)[number]>(PER_PLAYER, sizeOf));
  assert.deepEqual(
    lines.map(({ greyed }) => greyed),
    [undefined, 'few players'],
  );
  assert.equal(lines[1]!.color, 'var(--chart-compared)');
  assert.match(sayLines(groups, lines), /few players, fewer than 50/);
});

test('labels stay apart and in order, and within the chart if there is room', () => {
  const frame = { gap: 15, top: 10, bottom: 200 };
  for (const wanted of [
    [100, 100, 100],
    [200, 199, 198, 10],
    [10, 10, 200, 200, 200],
    [-40, 500],
  ]) {
    const placed = placeLabels(wanted, frame);
    const byWish = placed.toSorted((a, b) => a - b);
    for (const [index, y] of byWish.entries()) {
      assert.ok(y >= frame.top && y <= frame.bottom, `${y}`);
      if (index > 0) assert.ok(y - byWish[index - 1]! >= frame.gap - 1e-9);
    }
    for (const [a, one] of wanted.entries()) {
      for (const [b, two] of wanted.entries()) {
        if (one < two) assert.ok(placed[a]! < placed[b]!);
      }
    }
  }
  assert.deepEqual(placeLabels([50, 90], frame), [50, 90]);
  const crowded = placeLabels(
    Array.from({ length: 20 }, () => 100),
    frame,
  );
  assert.equal(new Set(crowded).size, 20);
});

test('stacked groups lie on each other, and their shares fill each period', () => {
  const lines = [
    [1, 0, null],
    [3, 0, 4],
  ];
  assert.deepEqual(stackLines(lines, false), [
    [
      [0, 1],
      [0, 0],
      [0, 0],
    ],
    [
      [1, 4],
      [0, 0],
      [0, 4],
    ],
  ]);
  assert.deepEqual(
    stackLines(lines, true)[1]!.map(([, top]) => top),
    [1, 0, 1],
  );
});
