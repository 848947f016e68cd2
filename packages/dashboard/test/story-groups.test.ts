import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupStory } from '../src/pages/players/story/story-groups.ts';
import type { StoryEntry, StorySession } from '../src/pages/players/story/story-groups.ts';
import { endOfDay, zonesFor } from '../src/pages/players/story/zones.ts';
import { calendarDayOf, formatExactClock } from '../src/ui/time/format-time.ts';

const session = (session_id: string, started_at: string, last_event_at: string): StorySession => ({
  session_id,
  started_at,
  last_event_at,
  event_count: 2,
});
const event = (at: string, session_id: string): StoryEntry => ({
  kind: 'event',
  at,
  id: 1,
  event_name: 'e',
  session_id,
  properties: {},
  client_timestamp: null,
  occurred_at: at,
});
const save = (at: string): StoryEntry => ({
  kind: 'save',
  at,
  action: 'stored',
  slot: 'main',
  version: 1,
  size_bytes: 2,
  restoration_id: null,
});
const outline = (groups: ReturnType<typeof groupStory>) =>
  groups.map(({ session: of, begins_day, goes_on, entries }) =>
    [of?.session_id ?? '-', entries.length, begins_day && 'day', goes_on && 'again']
      .filter((part) => part !== false)
      .join(' '),
  );

test('entries are grouped by session and day, and entries without a session come between sessions', () => {
  const a = session('a', '2026-03-01T22:00:00.000Z', '2026-03-02T00:30:00.000Z');
  const b = session('b', '2026-03-02T08:00:00.000Z', '2026-03-02T08:20:00.000Z');
  const entries = [
    save('2026-03-02T12:00:00.000Z'),
    save('2026-03-02T08:20:30.000Z'),
    event('2026-03-02T08:20:00.000Z', 'b'),
    save('2026-03-02T08:10:00.000Z'),
    event('2026-03-02T08:00:00.000Z', 'b'),
    event('2026-03-02T00:30:00.000Z', 'a'),
    save('2026-03-01T23:00:00.000Z'),
    event('2026-03-01T22:00:00.000Z', 'a'),
  ];
  assert.deepEqual(outline(groupStory(entries, [a, b], 'UTC')), [
    '- 1 day',
    'b 4',
    'a 1',
    'a 2 day again',
  ]);
  // In Berlin, everything except the last event is on the same day.
  assert.deepEqual(outline(groupStory(entries, [a, b], 'Europe/Berlin')), [
    '- 1 day',
    'b 4',
    'a 2',
    'a 1 day again',
  ]);
});

test('simultaneous sessions of two devices stay separate', () => {
  const a = session('a', '2026-03-01T10:00:00.000Z', '2026-03-01T11:00:00.000Z');
  const b = session('b', '2026-03-01T10:00:00.000Z', '2026-03-01T11:00:00.000Z');
  const entries = [
    event('2026-03-01T11:00:00.000Z', 'a'),
    save('2026-03-01T10:50:00.000Z'),
    event('2026-03-01T10:30:00.000Z', 'b'),
    event('2026-03-01T10:00:00.000Z', 'a'),
  ];
  assert.deepEqual(outline(groupStory(entries, [b, a], 'UTC')), ['a 2 day', 'b 1', 'a 1 again']);
});

test('a day ends at midnight in its time zone, also when clocks change', () => {
  for (const [day, zone, end] of [
    ['2026-03-01', 'UTC', '2026-03-02T00:00:00.000Z'],
    ['2026-03-01', 'Europe/Berlin', '2026-03-01T23:00:00.000Z'],
    ['2026-03-28', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
    ['2026-03-01', 'Asia/Kathmandu', '2026-03-01T18:15:00.000Z'],
    ['2026-12-31', 'Pacific/Kiritimati', '2026-12-31T10:00:00.000Z'],
    ['2026-03-07', 'America/Los_Angeles', '2026-03-08T08:00:00.000Z'],
  ] as const) {
    assert.equal(endOfDay(day, zone), end, `${day} in ${zone}`);
  }
  assert.equal(formatExactClock('2026-03-01T23:15:30.900Z', 'Asia/Kathmandu'), '05:00:30');
  assert.equal(formatExactClock('2026-03-01T23:00:00.000Z', 'Europe/Berlin'), '00:00:00');
  assert.equal(calendarDayOf(new Date('2026-03-01T23:00:00.000Z'), 'Europe/Berlin'), '2026-03-02');
});

test('each time zone is offered once', () => {
  const names = zonesFor('UTC').map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  assert.ok(names.includes('UTC'));
});
