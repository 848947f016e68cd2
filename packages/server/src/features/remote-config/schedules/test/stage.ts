import { startTestServer } from '../../../../../test/harness.ts';

export const HOUR = 3_600_000;

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** Starts a server whose clock tests can advance. `makeStudio` makes a game with a config. */
export async function openStage() {
  const clock = { now: Date.now() };
  const server = await startTestServer({ clock: () => new Date(clock.now) });
  return {
    clock,
    server,
    /** The moment that is `count` hours from now. */
    hours: (count: number) => new Date(clock.now + count * HOUR).toISOString(),

    async makeStudio(role: 'developer' | 'viewer' = 'developer') {
      const game = await server.makeGame();
      const account = await server.makeAccount({ game_id: game.game_id, role });
      const { token } = account;
      const path = `/v1/games/${game.game_id}/config`;
      const send = async (method: string, rest: string, body?: unknown) =>
        server.request(method, path + rest, { token, body });
      return {
        ...game,
        ...account,
        send,
        put: (parameters: object) => send('PUT', '', { parameters }),
        plan: (fields: object) => send('POST', '/schedules', { name: 'Weekend', ...fields }),
        show: async (id: string) => (await send('GET', `/schedules/${id}`)).body,
        play: async () =>
          (await server.request('GET', '/v1/config', { key: game.production_key })).body.config,
      };
    },
  };
}
