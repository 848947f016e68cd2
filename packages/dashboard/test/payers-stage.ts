import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { isSignedBy, startReceiver } from '../../server/src/features/webhooks/test/receiver.ts';
import type { Receiver } from '../../server/src/features/webhooks/test/receiver.ts';
import { sql } from '../../server/src/platform/database/sql.ts';
import type { TestGame } from '../../server/test/harness.ts';
import { daysAgo, makeTestPartition } from '../../server/test/past-day.ts';
import type { TestAccount } from '../../server/test/test-account.ts';
import { openStage } from './browser.ts';
import type { Stage } from './browser.ts';

export interface Studio {
  game: TestGame;
  owner: TestAccount;
}

/** A stage whose games can have alerts about payers, and a receiver of the alerts' messages. */
export interface PayersStage {
  stage: Stage;
  receiver: Receiver;
  /**
   * Makes a game that had only 80 payers yesterday, and 100 payers on the same day of each of the three weeks
   * before.
   */
  makeStudio(): Promise<Studio>;
  /** Waits until the alert has fired and its message has come. */
  expectMessage(studio: Studio, page: Page, secret: string): Promise<void>;
  close(): Promise<void>;
}

export async function openPayersStage(): Promise<PayersStage> {
  const stage = await openStage({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
  const receiver = await startReceiver();
  for (const age of [1, 23]) await makeTestPartition(stage.server, daysAgo(age));
  return {
    stage,
    receiver,
    async makeStudio() {
      const { server } = stage;
      const game = await server.makeGame();
      const { game_id } = game;
      const owner = await server.makeAccount({ game_id });
      const { status } = await server.request('PUT', `/v1/games/${game_id}/revenue-settings`, {
        token: owner.token,
        body: {
          event_name: 'purchase',
          filter: [],
          amount_property: 'price',
          amount_unit: 'major',
          currency_property: null,
          currency: 'EUR',
          report_currency: null,
          rates: [],
        },
      });
      assert.equal(status, 200);
      await server.database.execute(sql`
        WITH bought AS (
          SELECT day, number, ((now() - interval '15 minutes')::date - day)::timestamp AS at
          FROM unnest('{1,8,15,22}'::integer[]) AS day,
               generate_series(1, CASE day WHEN 1 THEN 80 ELSE 100 END) AS number
        ), counted AS (
          INSERT INTO daily_event_counts
            (game_id, environment, day, event_name, key_id, event_count)
          SELECT ${game_id}, 'production', at::date, 'purchase', ${game_id}, count(*)
          FROM bought GROUP BY at
        )
        INSERT INTO events (id, received_at, occurred_at, environment, game_id, key_id, event_name,
          session_id, player_id, properties)
        SELECT number, at, at, 'production', ${game_id}, ${game_id}, 'purchase', 's',
               'player ' || number, '{"price": 5}'
        FROM bought`);
      return { game, owner };
    },
    async expectMessage({ game }: Studio, page: Page, secret: string) {
      const before_check = receiver.received.length;
      await stage.server.database.execute(
        sql`UPDATE alerts SET next_check_at = now() WHERE game_id = ${game.game_id}`,
      );
      const messages = await receiver.waitFor(before_check + 1);
      const message = messages.at(-1)!;
      assert.ok(isSignedBy(secret, message));
      const { type, data } = message.body;
      assert.deepEqual(
        [type, data.metric, data.value, data.baseline_value, data.game_id],
        ['alert.fired', 'payers', 80, 100, game.game_id],
      );
      await page.reload();
      await page.getByText('Firing').waitFor();
      await page.getByText('It was 80, −20% against the usual of this weekday, 100.').waitFor();
    },
    async close() {
      await stage.close();
      receiver.close();
    },
  };
}
