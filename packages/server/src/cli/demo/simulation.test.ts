import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulatePlayer } from './simulation.ts';
import { RELEASES } from './world.ts';

const settings = { seed: 1, players: 300, days: 60, until: Date.UTC(2026, 10, 20, 15) };
const players = Array.from({ length: settings.players }, (_, number) =>
  simulatePlayer(settings, number),
);
const isSorted = (values: number[]) =>
  values.every((value, at) => at === 0 || values[at - 1]! <= value);

test('levels, saves and versions of a player never go back', () => {
  const versions = RELEASES.map(({ version }) => version as string);
  for (const { player_id, sessions, saves } of players) {
    const events = sessions.flatMap((session) => session.events);
    assert.ok(isSorted(events.map(({ at }) => at)), player_id);
    const starts = events.filter(({ event_name }) => event_name === 'session_start');
    const played = starts.map(({ properties }) => versions.indexOf(String(properties.app_version)));
    assert.ok(!played.includes(-1) && isSorted(played), player_id);
    const levels = events.filter(({ event_name }) => event_name === 'level_start');
    assert.ok(isSorted(levels.map(({ properties }) => Number(properties.level))), player_id);
    assert.ok(isSorted(saves.map(({ at }) => at)), player_id);
    assert.ok(isSorted(saves.map(({ data }) => Number(data.level))), player_id);
    assert.deepEqual(
      saves.map(({ version }) => version),
      saves.map((_, index) => index + 1),
    );
  }
});

test('each run is a completed level among the events', () => {
  for (const { sessions, runs } of players) {
    const completed = sessions
      .flatMap(({ events }) => events)
      .filter(({ event_name }) => event_name === 'level_complete')
      .map(({ at, properties: { level, seconds, score } }) => ({ at, level, seconds, score }));
    assert.deepEqual(runs, completed);
  }
});

test('only the bad release crashes, and no player stays on it for long', () => {
  const crashes = players.flatMap(({ sessions }) =>
    sessions.flatMap(({ events }) => events.filter(({ event_name }) => event_name === 'crash')),
  );
  assert.ok(crashes.length > 10);
  for (const { properties } of crashes) assert.equal(properties.app_version, '1.4.0');
});
