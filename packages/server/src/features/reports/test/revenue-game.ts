import assert from 'node:assert/strict';
import type { TestServer } from '../../../../test/harness.ts';
import { waitForIngest } from '../../../../test/inbox.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Bought } from './naive-revenue.ts';

const DAY_MS = 86_400_000;
/** Finds the calendar day of a moment in a time zone. */
export const dayIn = (time_zone: string, at_ms: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone }).format(at_ms);
export const SETTINGS = {
  event_name: 'buy',
  amount_property: 'price',
  currency_property: 'currency',
};

/** Makes a game of the Studio tier whose events are purchases, with settings for the revenue report. */
export async function makeRevenueGame(
  server: TestServer,
  settings: object | null = SETTINGS,
  time_zone = 'UTC',
) {
  const game = await server.makeGame({ tier: 'studio' });
  const { game_id } = game;
  await server.database.execute(
    sql`UPDATE games SET time_zone = ${time_zone} WHERE id = ${game_id}`,
  );
  const { token } = await server.makeAccount({ game_id });
  const ask = (method: string, path: string, body?: unknown) =>
    server.request(method, `/v1/games/${game_id}/${path}`, { token, body });
  if (settings !== null) {
    const { status, text } = await ask('PUT', 'revenue-settings', settings);
    assert.equal(status, 200, text);
  }
  const send = async (events: readonly Bought[]) => {
    for (let from = 0; from < events.length; from += 100) {
      const body = events
        .slice(from, from + 100)
        .map(({ player_id, at_ms, is_purchase, amount, currency }) => ({
          event_name: is_purchase ? 'buy' : 'play',
          session_id: `${player_id} ${at_ms}`,
          ...(player_id !== null && { player_id }),
          client_timestamp: new Date(at_ms).toISOString(),
          properties: is_purchase ? { price: amount, currency } : {},
        }));
      const answer = await server.request('POST', '/v1/track', { key: game.production_key, body });
      assert.equal(answer.status, 202, answer.text);
    }
    await waitForIngest(server.database, game_id);
  };
  const report = (query: string) => ask('GET', `analytics/revenue?${query}`);
  return { ...game, ask, send, report };
}

const NOON = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS / 2;
/** Makes a purchase at noon (UTC), this number of days ago. */
export const buy = (
  player_id: string | null,
  days_ago: number,
  amount: unknown,
  currency: unknown = 'EUR',
): Bought => ({
  player_id,
  at_ms: NOON - (days_ago - 1) * DAY_MS,
  is_purchase: true,
  amount,
  currency,
});
export const play = (player_id: string, days_ago: number): Bought => ({
  ...buy(player_id, days_ago, null),
  is_purchase: false,
});
/** Finds the calendar day in UTC, this number of days ago. */
export const day = (days_ago: number) => dayIn('UTC', NOON - (days_ago - 1) * DAY_MS);
