import type { DemoGame } from './demo-game.ts';
import { createRandom } from './random.ts';
import { simulatePlayer } from './simulation.ts';
import { currencyIn, ITEMS } from './world.ts';

const SESSIONS = 24;
const HOUR_MS = 3_600_000;
/** One in this many sessions plays the candidate build, a version of the game that is not released yet. */
const CANDIDATE_EVERY = 4;

/** A function that sends a request of a game, and throws when the server refuses the request. */
export type SendRequest = (
  method: string,
  path: string,
  body: unknown,
  headers?: Record<string, string>,
) => Promise<unknown>;

/**
 * Plays the last hour of the demo game. As a real game would, it sends the events, saves, unlocks and scores
 * of two dozen sessions to the public API. The candidate build is broken: its purchases break the schema, its
 * clock is days ahead, and it sends requests twice.
 */
export async function playLastHour(
  game: DemoGame,
  sendLive: SendRequest,
  sendCandidate: SendRequest,
): Promise<void> {
  const random = createRandom(game.seed + 99);
  for (let session = 0; session < SESSIONS; session++) {
    const isCandidate = session % CANDIDATE_EVERY === CANDIDATE_EVERY - 1;
    const send = isCandidate ? sendCandidate : sendLive;
    const player = simulatePlayer(game, random.integer(0, game.players - 1));
    const { player_id } = player;
    const session_id = `live-${session}-${random.integer(0, 1e9).toString(36)}`;
    let now = Date.now() - random.next() * HOUR_MS;
    const event = (event_name: string, properties: Record<string, unknown>) => {
      now = Math.min(Date.now(), now + random.longTail(45_000));
      const client_timestamp = new Date(now).toISOString();
      return { event_name, session_id, player_id, properties, client_timestamp };
    };
    const { country, platform } = player.properties;
    const who = { country, platform };
    const level = Number(player.properties.level);
    const [item, price] = random.pickWeighted(ITEMS.map((entry) => [entry, entry[2]] as const));
    const buys = isCandidate || random.chance(0.2);
    const app_version = isCandidate ? '1.5.0' : '1.4.0';
    const events = [
      event('session_start', { ...who, app_version }),
      event('level_start', { level }),
      event('level_complete', {
        level,
        stars: random.integer(1, 3),
        score: random.integer(1e3, 6e3),
      }),
      ...(buys
        ? [
            event('shop_opened', { ...who, level }),
            event('purchase', {
              item,
              price: isCandidate ? String(price) : price,
              currency: currencyIn(String(country)),
              ...who,
            }),
          ]
        : []),
      event('session_end', { seconds: random.integer(60, 900) }),
    ];
    await send('POST', '/v1/track', events, { 'idempotency-key': session_id });
    if (isCandidate) {
      await send('POST', '/v1/track', events, { 'idempotency-key': session_id });
      const client_timestamp = new Date(Date.now() + 48 * HOUR_MS).toISOString();
      await send('POST', '/v1/track', { ...event('settings_opened', who), client_timestamp });
    }
    await send('POST', '/v1/identify', { player_id, properties: { level: level + 1 } });
    await send('PUT', '/v1/saves', {
      player_id,
      data: { level: level + 1, coins: random.integer(50, 900), checkpoint: session_id },
    });
    await send('POST', '/v1/achievements/unlock', { player_id, achievement_key: 'first_flight' });
    await send('POST', '/v1/leaderboards', {
      board_name: 'daily',
      player_id,
      player_name: player.name,
      score: random.integer(1_000, 9_000),
    });
  }
}
