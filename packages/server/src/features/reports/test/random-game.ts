import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import { waitForIngest } from '../../../../test/inbox.ts';
import { sql } from '../../../platform/database/sql.ts';

/** A player of a random game. */
export interface Player {
  player_id: string;
  country: string | number | null;
  tag: string | null;
}
export interface Event {
  player: number;
  session: number;
  event_name: string;
  minutes_ago: number;
  price: number;
}

export const DAY_MINUTES = 1_440;
const DAYS = 45;
export const dayBefore = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
export const RANGE = `from=${dayBefore(20)}&to=${dayBefore(1)}`;

export const anyPlayer = fc.record({
  country: fc.constantFrom('de', 'de', 'fr', 'a\nb"', 7, null),
  tag: fc.constantFrom('vip', null),
});
export const anyEvent = fc.record({
  player: fc.nat({ max: 7 }),
  session: fc.nat({ max: 3 }),
  event_name: fc.constantFrom('open', 'open', 'buy', 'end'),
  minutes_ago: fc.integer({ min: 0, max: DAYS * DAY_MINUTES }),
  price: fc.integer({ min: 0, max: 9 }),
});

/** Makes a game with these players and events. Its time zone is not that of the database. */
export async function makeGame(
  server: TestServer,
  players: readonly Player[],
  events: readonly (Event & { id: string })[],
) {
  const game = await server.makeGame();
  await server.database.execute(
    sql`UPDATE games SET time_zone = 'Australia/Lord_Howe' WHERE id = ${game.game_id}`,
  );
  const key = game.production_key;
  for (const { player_id, country, tag } of players) {
    const body = { player_id, properties: country === null ? {} : { country } };
    assert.equal((await server.request('POST', '/v1/identify', { key, body })).status, 200);
    const path = `/v1/players/${player_id}/tags`;
    if (tag !== null) await server.request('POST', path, { key, body: { tag } });
  }
  const now = Date.now();
  const bodies = events.map(({ id, session, event_name, minutes_ago, price }) => ({
    event_name,
    session_id: `s${session} ${Math.floor(minutes_ago / 700)}`,
    player_id: id,
    properties: { price },
    client_timestamp: new Date(now - minutes_ago * 60_000).toISOString(),
  }));
  for (let from = 0; from < bodies.length; from += 100) {
    const body = bodies.slice(from, from + 100);
    assert.equal((await server.request('POST', '/v1/track', { key, body })).status, 202);
  }
  await waitForIngest(server.database, game.game_id);
  return game;
}

/** Loads the reports of a game as one of its developers. */
export async function openReports(server: TestServer, game: TestGame) {
  const { token } = await server.makeAccount({ game_id: game.game_id, role: 'developer' });
  const path = `/v1/games/${game.game_id}`;
  const ask = (report: string, query: Record<string, unknown> = {}) => {
    const parameters = Object.entries(query).map(([name, value]) => {
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
      return `&${name}=${encodeURIComponent(text)}`;
    });
    const joined = report.includes('?') ? '&' : '?';
    return server.request(
      'GET',
      `${path}/analytics/${report}${joined}${RANGE}${parameters.join('')}`,
      { token },
    );
  };
  return {
    token,
    path,
    ask,
    async get(report: string, query: Record<string, unknown> = {}) {
      const answer = await ask(report, query);
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    },
  };
}
