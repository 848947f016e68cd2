import { writeRequest } from '../load/connection.ts';
import type { HttpRequest } from '../load/connection.ts';
import type { Random } from '../random.ts';

const DISTINCT_REQUESTS = 4_000;
const PLAYERS = 5_000;

/** Makes a mix of the requests that games send, as bytes, so that sending them is cheap. */
export function makeRequests(random: Random, key: string): Buffer[] {
  const player = () => `p-${random.below(PLAYERS)}`;
  const event = () => ({
    event_name: random.pick(['level_complete', 'purchase', 'session_start']),
    session_id: `s-${random.below(20_000)}`,
    player_id: player(),
    properties: { level: random.below(50), seconds: random.below(300) },
  });
  const kinds: [number, () => HttpRequest][] = [
    [3, () => post('/v1/track', event())],
    [2, () => post('/v1/track', Array.from({ length: 25 }, event))],
    [
      2,
      () => post('/v1/identify', { player_id: player(), properties: { level: random.below(9) } }),
    ],
    [
      2,
      () =>
        post('/v1/leaderboards', {
          board_name: 'board',
          player_id: player(),
          score: random.below(1_000_000),
        }),
    ],
    [
      1,
      () => ({
        ...post('/v1/saves', { player_id: player(), data: { bag: 'x'.repeat(5_000) } }),
        method: 'PUT',
      }),
    ],
    [
      1,
      () =>
        post('/v1/achievements/unlock', {
          player_id: player(),
          achievement_key: `a${1 + random.below(10)}`,
        }),
    ],
    [1, () => ({ method: 'GET', path: '/v1/leaderboards/board?limit=10' })],
  ];
  const choices = kinds.flatMap(([weight, make]) => Array.from({ length: weight }, () => make));
  const headers = `x-game-api-key: ${key}\r\n`;
  return Array.from({ length: DISTINCT_REQUESTS }, () =>
    Buffer.from(writeRequest(random.pick(choices)(), headers)),
  );
}

const post = (path: string, body: unknown): HttpRequest => ({
  method: 'POST',
  path,
  body: JSON.stringify(body),
});
