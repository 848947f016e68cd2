import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Engine, Game, GameOptions } from './engine.ts';
import { API_KEY, startScriptedServer } from './transcript.ts';

/** Starts a scripted server, which is closed after the test. */
export async function startServer(t: TestContext) {
  const server = await startScriptedServer();
  t.after(() => server.close());
  return server;
}

/** Makes a device on which a game can be started again and again. */
export async function makeDevice(
  t: TestContext,
  engine: Engine,
  base_url: string,
  options: Partial<GameOptions> = {},
): Promise<{ folder: string; start: () => Promise<Game> }> {
  const folder = await mkdtemp(join(tmpdir(), 'overworld-device-'));
  const games: Game[] = [];
  t.after(async () => {
    await Promise.all(games.map((game) => game.kill()));
    await rm(folder, { recursive: true });
  });
  const start = async () => {
    const device = { base_url, api_key: API_KEY, player_id: 'p-1', folder };
    const game = await engine.start({ ...device, ...options });
    games.push(game);
    return game;
  };
  return { folder, start };
}
