import type { KeyCaller } from '../../../platform/auth/api-keys.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import { thisMonth } from '../usage-totals.ts';

/**
 * Callers whose environment is limited to a share of the month's events, at most one caller for each game.
 */
type ShareCallers = readonly KeyCaller[];

/**
 * Locks the usage rows of games, in the order of `game_id`, until the transaction ends. Until then no
 * events of these games are counted. The next statement sees all events that were counted before.
 */
export async function lockUsage(tx: Queryable, callers: ShareCallers): Promise<void> {
  const games = callers.map(({ game_id, event_quota }) => ({ game_id, event_quota }));
  const asked = rowsAs('asked', games, { game_id: 'uuid', event_quota: 'bigint' });
  await tx.execute(sql`
    INSERT INTO event_usage (game_id, month, used, last_accepted, quota)
    SELECT game_id, ${thisMonth}, 0, 0, event_quota
    FROM ${asked}
    ORDER BY game_id
    ON CONFLICT (game_id, month) DO UPDATE SET quota = EXCLUDED.quota`);
}

/**
 * Returns by game the number of events that the environments of these callers have sent this month. It adds
 * up the counters of the API keys and the events that wait in the inbox or are in quarantine. There is no
 * counter for each environment, which every game would have to pay for.
 */
export async function listEnvironmentUsage(
  tx: Queryable,
  callers: ShareCallers,
): Promise<Map<string, number>> {
  const games = callers.map(({ game_id, environment }) => ({ game_id, environment }));
  const asked = rowsAs('asked', games, { game_id: 'uuid', environment: 'environment' });
  const rows = await tx.query<{ game_id: string; used: number }>(sql`
    SELECT asked.game_id,
           (COALESCE((SELECT sum(event_count) FROM event_key_usage AS usage
                      WHERE usage.game_id = asked.game_id AND month = ${thisMonth}
                        AND usage.environment = asked.environment), 0)
            + COALESCE((SELECT sum(event_count) FROM event_inbox AS inbox
                        WHERE inbox.game_id = asked.game_id
                          AND inbox.environment = asked.environment
                          AND date_trunc('month', received_at AT TIME ZONE 'UTC') = ${thisMonth}), 0)
            + COALESCE((SELECT sum(event_count) FROM event_quarantine AS unread
                        WHERE unread.game_id = asked.game_id
                          AND unread.environment = asked.environment
                          AND date_trunc('month', received_at AT TIME ZONE 'UTC') = ${thisMonth}), 0)
           )::bigint AS used
    FROM ${asked}`);
  return new Map(rows.map(({ game_id, used }) => [game_id, used]));
}
