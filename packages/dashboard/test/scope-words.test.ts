import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDated, PINNED_REPORTS } from '@overworld/contract/analytics/reports';
import { OPERATIONS } from '@overworld/contract/operations';
import { findNews, shareOf, totalsOf } from '../src/pages/events/quality/quality-problems.ts';
import type { QualityDay } from '../src/pages/events/quality/quality-problems.ts';
import { scopeWords } from '../src/reports/pinning/scope-words.ts';

/** The parameters that a card does not store, or whose effect a chart shows by itself. */
const GIVEN = ['environment', 'from', 'to', 'format', 'limit', 'offset', 'metric_key'];
const VALUES: Record<string, string> = {
  players: JSON.stringify({ tags: ['vip'] }),
  filter: JSON.stringify([{ property: 'price', operator: 'gt', value: 3 }]),
  steps: JSON.stringify([{ event_name: 'open' }, { event_name: 'buy' }]),
  split_by: 'property:country',
  by: 'hour',
  repeats: 'keep',
};

test('a card shows every parameter of every report that can be pinned', () => {
  for (const report of PINNED_REPORTS.filter(isDated)) {
    const operation = OPERATIONS.find(({ path }) => path.endsWith(`/analytics/${report}`));
    const names = Object.keys(operation!.query!.properties).filter((name) => !GIVEN.includes(name));
    for (const name of names) {
      const query = new URLSearchParams({ [name]: VALUES[name] ?? '7' });
      const [words = ''] = scopeWords(query);
      assert.notEqual(words, '', `${report} ${name}`);
      assert.notEqual(words, `${name} 7`, `${report} ${name} has no words`);
    }
  }
});

test('the percent of a problem has one denominator on the whole page', () => {
  const today: QualityDay = {
    day: '2026-03-02',
    key_id: 'k',
    key_name: 'Game',
    event_count: 42,
    refused_count: 36,
    repeated_count: 0,
    late_count: 6,
    wrong_clock_count: 0,
    warned_count: 0,
  };
  const news = findNews([today], today.day).find(({ problem }) => problem.value === 'late')!;
  assert.equal(news.share, shareOf({ member: 'late_count' }, totalsOf([today])));
  assert.equal(news.share, 6 / 78);
});
