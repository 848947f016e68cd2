import assert from 'node:assert/strict';
import type { TestServer } from '../../../../test/harness.ts';

/** Makes a game with a developer who makes dashboards. */
export async function makeDashboardStudio(server: TestServer) {
  const { game_id } = await server.makeGame();
  const { token, email } = await server.makeAccount({ game_id, role: 'developer' });
  const path = `/v1/games/${game_id}/dashboards`;
  return {
    game_id,
    token,
    email,
    path,
    create: (body: unknown) => server.request('POST', path, { token, body }),
    get: async (id: string) => (await server.request('GET', `${path}/${id}`, { token })).body,
    patch: (id: string, body: unknown) => server.request('PATCH', `${path}/${id}`, { token, body }),
    pin: (id: string, body: unknown) =>
      server.request('POST', `${path}/${id}/cards`, { token, body }),
    delete: (id: string) => server.request('DELETE', `${path}/${id}`, { token }),
    async names(): Promise<string[]> {
      const { body } = await server.request('GET', path, { token });
      assert.equal(body.next_cursor, null);
      return body.dashboards.map(({ name, position }: { name: string; position: number }) =>
        [position, name].join(' '),
      );
    },
  };
}
