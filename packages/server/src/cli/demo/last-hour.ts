import type { DemoGame } from './demo-game.ts';
import { createRandom } from './random.ts';
import { saveData, simulatePlayer } from './simulation.ts';
import { CANDIDATE_VERSION, currencyIn, ITEMS, LIVE_VERSION } from './world.ts';

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
  const first_player = random.integer(0, game.players - 1);
  for (let session = 0; session < SESSIONS; session++) {
    const isCandidate = session % CANDIDATE_EVERY === CANDIDATE_EVERY - 1;
    const send = isCandidate ? sendCandidate : sendLive;
    // Each session has a player of its own, as long as there are enough.
    const player = simulatePlayer(game, (first_player + session) % game.players);
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
    const stars = random.integer(1, 3);
    const score = 1_000 * stars + random.integer(0, 3_000);
    const coins = Number(player.properties.coins) + 10 * stars;
    const next_level = Math.min(50, level + 1);
    const buys = isCandidate || random.chance(0.2);
    const app_version = isCandidate ? CANDIDATE_VERSION : LIVE_VERSION;
    const events = [
      event('session_start', { ...who, app_version }),
      event('level_start', { level }),
      event('level_complete', { level, seconds: random.integer(40, 200), stars, score }),
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
    await send('POST', '/v1/identify', { player_id, properties: { level: next_level, coins } });
    await send('PUT', '/v1/saves', {
      player_id,
      data: saveData(next_level, coins),
    });
    await send('POST', '/v1/achievements/unlock', { player_id, achievement_key: 'first_flight' });
    await send('POST', '/v1/leaderboards', {
      board_name: 'daily',
      player_id,
      player_name: player.name,
      score,
      metadata: { level },
    });
  }
  // A score that no run of the game can reach waits for a decision.
  const { player_id, name: player_name } = simulatePlayer(game, first_player);
  const cheat = { board_name: 'daily', player_id, player_name, score: 999_999 };
  await sendLive('POST', '/v1/leaderboards', cheat);
}
