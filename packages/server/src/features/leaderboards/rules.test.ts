import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EMPTY_POLICY, findBrokenRule } from './rules.ts';
import type { Before, BoardPolicy } from './rules.ts';

const NOW_MS = Date.parse('2026-03-14T12:00:00Z');
const NEWCOMER: Before = { score: null, reached_ms: null, counted_ms: null };
const at = (score: number, hours_ago: number): Before => ({
  score,
  reached_ms: NOW_MS - hours_ago * 3_600_000,
  counted_ms: NOW_MS - hours_ago * 3_600_000,
});

interface Case {
  policy: Partial<BoardPolicy>;
  score?: number;
  metadata?: string | null;
  before?: Before;
  order?: 'ascending' | 'descending';
  broken: string | null;
}

const cases: Record<string, Case> = {
  'a gain of the greatest size': {
    policy: { max_gain: 5 },
    score: 15,
    before: at(10, 1),
    broken: null,
  },
  'a greater gain': { policy: { max_gain: 5 }, score: 15.1, before: at(10, 1), broken: 'max_gain' },
  'a worse score': { policy: { max_gain: 5 }, score: -1e308, before: at(10, 1), broken: null },
  'a gain that is not finite': {
    policy: { max_gain: 5 },
    score: 1.7e308,
    before: at(-1.7e308, 1),
    broken: 'max_gain',
  },
  'a great fall on an ascending board': {
    policy: { max_gain: 5 },
    order: 'ascending',
    score: 4,
    before: at(10, 1),
    broken: 'max_gain',
  },
  'a great rise on an ascending board': {
    policy: { max_gain: 5 },
    order: 'ascending',
    score: 100,
    before: at(10, 1),
    broken: null,
  },
  'a first score without a start': { policy: { max_gain: 5 }, score: 1e9, broken: null },
  'a first score far from the start': {
    policy: { max_gain: 5, first_gain_from: 0 },
    score: 6,
    broken: 'max_gain',
  },
  'a first score without a start, on a board with a rate': {
    policy: { max_gain_per_hour: 10 },
    score: 1e9,
    broken: null,
  },
  'a first score as far from the start as an hour may lead': {
    policy: { max_gain_per_hour: 10, first_gain_from: 5 },
    score: 15,
    broken: null,
  },
  'a first score farther from the start than an hour may lead': {
    policy: { max_gain_per_hour: 10, first_gain_from: 5 },
    score: 15.1,
    broken: 'max_gain_per_hour',
  },
  'a first score far below the start, on an ascending board': {
    policy: { max_gain_per_hour: 10, first_gain_from: 600 },
    order: 'ascending',
    score: 1,
    broken: 'max_gain_per_hour',
  },
  'a first score above the start, on an ascending board': {
    policy: { max_gain_per_hour: 10, first_gain_from: 600 },
    order: 'ascending',
    score: 1e9,
    broken: null,
  },
  'a gain within the rate': {
    policy: { max_gain_per_hour: 10 },
    score: 30,
    before: at(10, 2),
    broken: null,
  },
  'a gain past the rate': {
    policy: { max_gain_per_hour: 10 },
    score: 31,
    before: at(10, 2),
    broken: 'max_gain_per_hour',
  },
  'a gain at the same moment': {
    policy: { max_gain_per_hour: 10 },
    score: 10.001,
    before: at(10, 0),
    broken: 'max_gain_per_hour',
  },
  'the same score at the same moment': {
    policy: { max_gain_per_hour: 10 },
    score: 10,
    before: at(10, 0),
    broken: null,
  },
  'a submit too early': {
    policy: { min_submit_interval_ms: 3_600_001 },
    before: at(10, 1),
    broken: 'min_submit_interval_ms',
  },
  'a submit in time': {
    policy: { min_submit_interval_ms: 3_600_000 },
    before: at(10, 1),
    broken: null,
  },
  'a first submit': { policy: { min_submit_interval_ms: 1_000 }, broken: null },
  'no metadata': { policy: { required_metadata: ['level'] }, broken: 'required_metadata' },
  'a property that is null': {
    policy: { required_metadata: ['level'] },
    metadata: '{"level":null}',
    broken: 'required_metadata',
  },
  'an inherited property': {
    policy: { required_metadata: ['toString'] },
    metadata: '{}',
    broken: 'required_metadata',
  },
  'all properties': {
    policy: { required_metadata: ['level', '__proto__'] },
    metadata: '{"level":0,"__proto__":1}',
    broken: null,
  },
};

describe('the rules of a board', () => {
  for (const [name, given] of Object.entries(cases)) {
    const { score = 0, metadata = null, before = NEWCOMER, order = 'descending' } = given;
    test(`${name}: ${given.broken ?? 'no rule is broken'}`, () => {
      const policy = { ...EMPTY_POLICY, ...given.policy };
      const broken = findBrokenRule(policy, order, { score, metadata }, before, NOW_MS);
      assert.equal(broken, given.broken);
    });
  }
});
