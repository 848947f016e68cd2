import assert from 'node:assert/strict';
import type { Alert } from '@overworld/contract/alerts/alerts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';

export const RULE = {
  name: 'Players stay away',
  environment: 'production',
  metric: 'active_players',
  comparison: 'falls',
  threshold: 20,
} as const;

/** Makes a game with an owner who makes alerts. */
export async function makeStudio(server: TestServer) {
  const { game_id } = await server.makeGame();
  const { token, email, account_id } = await server.makeAccount({ game_id });
  const send = (method: string, path: string, body?: unknown) =>
    server.request(method, `/v1/games/${game_id}${path}`, { token, body });
  const list = async (): Promise<Alert[]> => (await send('GET', '/alerts')).body.alerts;
  return {
    game_id,
    token,
    email,
    account_id,
    send,
    list,
    async make(more: object = {}): Promise<Alert> {
      const { status, body } = await send('POST', '/alerts', { ...RULE, ...more });
      assert.equal(status, 201, JSON.stringify(body));
      return body;
    },
    /** Tries a rule on the last finished period. @returns the numbers of the trial, and the whole answer. */
    async tryRule({ name, environment, ...definition }: typeof RULE | Record<string, unknown>) {
      const document = { kind: 'alert', key: `${environment}/${name}`, definition };
      const answer = await send('POST', `/definitions/try?environment=${environment}`, document);
      const [trial] = answer.body.trials ?? [];
      const { value = null, met = null } = trial?.numbers ?? {};
      return { ...answer, trial, value, is_met: met === null ? null : met === 1 };
    },
    /** Makes a webhook at a URL where nothing answers. @returns its id. */
    async makeWebhook(): Promise<string> {
      const { body } = await send('POST', '/webhooks', { url: 'http://127.0.0.1:1/', events: [] });
      return body.id;
    },
    /** Lists the bodies of all messages to webhooks. */
    async listMessages() {
      const rows = await server.database.query<{ body: string }>(sql`
        SELECT body FROM webhook_deliveries WHERE game_id = ${game_id} ORDER BY created_at`);
      return rows.map(({ body }) => JSON.parse(body));
    },
    /** Sets the number of players who were active on an earlier day. */
    setPlayers: (days_ago: number, count: number) =>
      server.database.execute(sql`
        WITH events AS (
          INSERT INTO daily_event_counts
            (game_id, environment, day, event_name, key_id, event_count)
          VALUES (${game_id}, 'production', (now() - interval '15 minutes')::date
                  - ${days_ago}::integer, 'e', ${game_id}, 1)
          ON CONFLICT DO NOTHING
        )
        INSERT INTO daily_players
          (game_id, environment, day, active_players, new_players, weekly_change, monthly_change)
        VALUES (${game_id}, 'production', (now() - interval '15 minutes')::date
                - ${days_ago}::integer, ${count}, 0, 0, 0)
        ON CONFLICT (game_id, environment, day) DO UPDATE SET active_players = EXCLUDED.active_players`),
    /** Makes all alerts due, and waits until they have been checked. */
    async check(): Promise<Alert> {
      await server.database.execute(sql`
        UPDATE alerts SET next_check_at = now() WHERE game_id = ${game_id}`);
      let alert: Alert | undefined;
      await waitUntil('the alert is checked', async () => {
        [alert] = await list();
        return Date.parse(alert!.next_check_at) > Date.now();
      });
      return alert!;
    },
  };
}
