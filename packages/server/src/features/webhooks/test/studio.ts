import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Delivery } from '@overworld/contract/webhooks/deliveries';
import type { Webhook } from '@overworld/contract/webhooks/webhooks';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';

/** A game with an owner who calls the operations of webhooks. */
export interface Studio extends TestGame {
  token: string;
  email: string;
  send(
    method: string,
    path: string,
    body?: unknown,
  ): // oxlint-disable-next-line no-explicit-any
  Promise<{ status: number; body: any }>;
  makeWebhook(url: string, more?: object): Promise<Webhook & { secret: string }>;
  find(webhook_id: string): Promise<Webhook>;
  list(webhook_id: string, query?: string): Promise<Delivery[]>;
  /**
   * Waits until no message of the webhook is being sent, and the newest message has been tried and has
   * this state.
   */
  waitFor(webhook_id: string, state: Delivery['state']): Promise<Delivery>;
  /** Makes an achievement and unlocks it for a player. */
  unlock(player_id: string, achievement_key?: string): Promise<void>;
}

export async function makeStudio(server: TestServer): Promise<Studio> {
  const game = await server.makeGame();
  const { token, email } = await server.makeAccount({ game_id: game.game_id });
  const send: Studio['send'] = (method, path, body) =>
    server.request(method, `/v1/games/${game.game_id}${path}`, { token, body });
  const made = await send('POST', '/achievements', { key: 'boss', name: 'Boss', description: '' });
  assert.equal(made.status, 201);
  const list: Studio['list'] = async (id, query = '') =>
    (await send('GET', `/webhooks/${id}/deliveries${query}`)).body.deliveries;
  return {
    ...game,
    token,
    email,
    send,
    list,
    async makeWebhook(url, more) {
      const body = { url, events: ['achievement.unlocked'], ...more };
      const answer = await send('POST', '/webhooks', body);
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return answer.body;
    },
    async find(webhook_id) {
      const { body } = await send('GET', '/webhooks');
      return body.webhooks.find(({ id }: Webhook) => id === webhook_id);
    },
    async waitFor(webhook_id, state) {
      let newest: Delivery | undefined;
      await waitUntil(`the message is ${state}`, async () => {
        const before = await list(webhook_id);
        const in_flight = await server.database.query(sql`
          SELECT FROM webhook_deliveries
          WHERE game_id = ${game.game_id} AND webhook_id = ${webhook_id} AND leased_until IS NOT NULL`);
        const now = await list(webhook_id);
        [newest] = now;
        const is_quiet = in_flight.length === 0 && isDeepStrictEqual(before, now);
        return is_quiet && newest?.state === state && newest.attempts > 0;
      });
      return newest!;
    },
    async unlock(player_id, achievement_key = 'boss') {
      const { status, text } = await server.request('POST', '/v1/achievements/unlock', {
        key: game.production_key,
        body: { player_id, achievement_key },
      });
      assert.equal(status, 200, text);
    },
  };
}
