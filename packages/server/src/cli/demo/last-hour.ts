import type { DemoGame } from './demo-game.ts';
import { createRandom } from './random.ts';
import { simulatePlayer } from './simulation.ts';
import { ITEMS } from './world.ts';

const SESSIONS = 24;
const HOUR_MS = 3_600_000;

/** Sends a request of a game, and throws when it is refused. */
export type SendRequest = (method: string, path: string, body: unknown) => Promise<unknown>;

/**
 * Plays the last hour the way a game does: over the public API, some two dozen sessions with their
 * events, saves, unlocks and scores. Among them one broken build, whose purchases break the schema.
 */
export async function playLastHour(game: DemoGame, send: SendRequest): Promise<void> {
  const random = createRandom(game.seed + 99);
  for (let session = 0; session < SESSIONS; session++) {
    const player = simulatePlayer(game, random.integer(0, game.players - 1));
    const { player_id } = player;
    const session_id = `live-${session}-${random.integer(0, 1e9).toString(36)}`;
    let now = Date.now() - random.next() * HOUR_MS;
    const event = (event_name: string, properties: Record<string, unknown>) => {
      now = Math.min(Date.now(), now + random.longTail(45_000));
      const client_timestamp = new Date(now).toISOString();
      return { event_name, session_id, player_id, properties, client_timestamp };
    };
    const level = Number(player.properties.level);
    const [item, price] = random.pickWeighted(ITEMS.map((entry) => [entry, entry[2]] as const));
    const broken = session % 8 === 3;
    await send('POST', '/v1/track', [
      event('session_start', { platform: player.properties.platform, version: '1.4.0' }),
      event('level_start', { level }),
      event('level_complete', {
        level,
        stars: random.integer(1, 3),
        score: random.integer(1e3, 6e3),
      }),
      ...(broken || random.chance(0.3)
        ? [event('purchase', { item, price: broken ? String(price) : price, currency: 'EUR' })]
        : []),
      event('session_end', { seconds: random.integer(60, 900) }),
    ]);
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
