import assert from 'node:assert/strict';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';

const DAY_MS = 86_400_000;
const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS;

export const at = (time: number): string => new Date(time).toISOString();
/** Returns the noon of a day before today, in UTC. */
export const noon = (days_ago: number): string => at(TODAY - days_ago * DAY_MS + DAY_MS / 2);
export const dayOf = (days_ago: number): string => noon(days_ago).slice(0, 10);

/** An event that happened some seconds after the noon of its day. */
interface Played {
  player_id?: string;
  session_id?: string;
  event_name?: string;
  days_ago: number;
  seconds?: number;
}

/** Sends events. By default a player's events of one day are one session. */
export async function track(server: TestServer, key: string, played: Played[]): Promise<void> {
  const body = played.map(({ days_ago, seconds = 0, ...event }) => ({
    event_name: 'level_complete',
    session_id: `${event.player_id}-${days_ago}`,
    ...event,
    client_timestamp: at(Date.parse(noon(days_ago)) + seconds * 1_000),
  }));
  const answer = await server.request('POST', '/v1/track', { key, body });
  assert.equal(answer.status, 202, answer.text);
}

/** Makes functions that read the reports of a game as one of its viewers. */
export async function makeReader(
  server: TestServer,
  game: TestGame,
): Promise<{
  ask(report: string): Promise<TestAnswer>;
  /** Reads the body of a report, which must be answered with 200. */
  get(report: string): Promise<TestAnswer['body']>;
}> {
  const { token } = await server.makeAccount({ game_id: game.game_id, role: 'viewer' });
  const ask = (report: string) =>
    server.request('GET', `/v1/games/${game.game_id}/analytics/${report}`, { token });
  return {
    ask,
    async get(report) {
      const answer = await ask(report);
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    },
  };
}
