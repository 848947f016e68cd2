import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '../load/connection.ts';
import type { Answer, HttpRequest } from '../load/connection.ts';

const INTERVAL_MS = 1_000;

/** Sends a request that must succeed. Its latency counts from now. */
type Send = (connection: Connection, request: HttpRequest) => Promise<Answer | null>;

const makeDevice = () => ({
  provider: 'device',
  device_id: randomUUID(),
  secret: randomUUID().repeat(2),
});

/**
 * Every second a new player logs in, and moves to another device by a code. Each player has an address, as
 * people at home have.
 * @param onWrong Called when a player has arrived at the new device as somebody else.
 */
export async function welcomeNewcomers(
  { port, key }: { port: number; key: string },
  send: Send,
  onWrong: (words: string) => void,
  isOver: () => boolean,
): Promise<void> {
  for (let newcomer = 0; !isOver(); newcomer++) {
    const started = performance.now();
    const address = `127.200.${Math.floor(newcomer / 250)}.${(newcomer % 250) + 2}`;
    const ask = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
      const connection = new Connection(port, { 'x-game-api-key': key, ...headers }, address);
      const request = { method: 'POST', path, body: JSON.stringify(body) };
      const answer = await send(connection, request);
      connection.close();
      return answer === null || answer.status >= 300 ? null : JSON.parse(answer.body);
    };
    const login = await ask('/v1/players/login', makeDevice());
    const token = { 'x-player-token': login?.player_token };
    const made = login && (await ask('/v1/players/move-code', {}, token));
    const moved = made && (await ask('/v1/players/move', { ...makeDevice(), code: made.code }));
    if (moved && moved.player_id !== login.player_id) {
      onWrong(`a player who moved to another device became ${moved.player_id}`);
    }
    await sleep(Math.max(0, started + INTERVAL_MS - performance.now()));
  }
}
