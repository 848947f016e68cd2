import assert from 'node:assert/strict';
import type { TestServer } from '../../../../../test/harness.ts';
import { waitUntil } from '../../../../../test/wait-until.ts';
import { sql } from '../../../../platform/database/sql.ts';

/** The path of a condition that finds saves with half of the coins. */
export const LOST_COINS = [{ path: ['coins'], operator: 'fell_by_half' }];

/** Makes a game whose members restore saves. */
export async function makeRestorationGame(server: TestServer) {
  const game = await server.makeGame();
  const { game_id, production_key: key } = game;
  const { token } = await server.makeAccount({ game_id, role: 'developer' });
  const of = (path: string) => `/v1/games/${game_id}/${path}`;
  const send = (method: string, path: string, body?: unknown, by = server) =>
    by.request(method, of(path), { token, body });

  const save = async (
    player_id: string,
    data: object,
    { app_version, slot, version }: { app_version?: string; slot?: string; version?: number } = {},
  ) => {
    const answer = await server.request('PUT', '/v1/saves', {
      key,
      headers: app_version === undefined ? {} : { 'overworld-app-version': app_version },
      body: { player_id, data, slot, version },
    });
    return answer;
  };
  const load = async (player_id: string, slot = 'main') => {
    const query = new URLSearchParams({ player_id, slot });
    const { body } = await server.request('GET', `/v1/saves?${query}`, { key });
    return body.data;
  };
  const get = async (id: string, by = server) => {
    const { status, body } = await send('GET', `save-restorations/${id}`, undefined, by);
    assert.equal(status, 200);
    return body;
  };
  const waitFor = async (id: string, state: string, by = server) => {
    await waitUntil(`the restoration is ${state}`, async () => (await get(id, by)).state === state);
    return get(id, by);
  };
  return {
    ...game,
    key,
    token,
    send,
    save,
    load,
    get,
    waitFor,
    /** Saves 100 coins by the build 1.4.2, and 10 by 1.5.0. */
    async spoil(player_id: string, slot?: string) {
      await save(player_id, { coins: 100 }, { app_version: '1.4.2', ...(slot && { slot }) });
      await save(player_id, { coins: 10 }, { app_version: '1.5.0', ...(slot && { slot }) });
    },
    /** Counts the saves that a question finds. */
    async count(question: object = { app_versions: ['1.5.0'] }) {
      const { status, body, text } = await send('POST', 'save-restorations', question);
      assert.equal(status, 201, text);
      return waitFor(body.restoration_id, 'ready');
    },
    async start(restoration: { restoration_id: string; save_count: number }, played_on = 'skip') {
      const { restoration_id: id, save_count } = restoration;
      const path = `save-restorations/${id}/start`;
      const { status, text } = await send('POST', path, { played_on, save_count });
      assert.equal(status, 200, text);
    },
    /** Makes the next step due at once, as if the time of a server that ended were over. */
    makeDue: () =>
      server.database.execute(sql`
        UPDATE save_restorations SET next_step_at = now() WHERE game_id = ${game_id}`),
  };
}
