import type { ServiceEventType } from '@overworld/contract/webhooks/service-events';
import { createGameDefinitionCache } from '../definition-cache.ts';
import type { DefinitionCache } from '../definition-cache.ts';
import type { GroupedDatabase } from '../database/game-groups.ts';
import type { Notifications } from '../database/notifications.ts';
import { sql } from '../database/sql.ts';

/** A cache that has, for each game, the event types that at least one of its webhooks listens to. */
export type Listeners = DefinitionCache<ReadonlySet<string>>;

/** On this channel, a server tells the others the id of a game after the game's webhooks have changed. */
const CHANNEL = 'overworld_webhooks';

/** Makes the cache. With it, frequent operations need no query to learn that an event has no listener. */
export const createListeners = (hot: GroupedDatabase, notifications: Notifications): Listeners =>
  createGameDefinitionCache<ReadonlySet<string>>(hot, {
    channel: CHANNEL,
    notifications,
    max_entries: 10_000,
    load: async (database, game_id) => {
      const rows = await database.query<{ event: string }>(sql`
        SELECT DISTINCT unnest(events) AS event FROM webhooks
        WHERE game_id = ${game_id} AND disabled_at IS NULL`);
      return new Set(rows.map(({ event }) => event));
    },
  });

/** Tells whether one of the games listens to an event. */
export async function isAnyListening(
  listeners: Listeners,
  game_ids: Iterable<string>,
  type: ServiceEventType,
): Promise<boolean> {
  for (const game_id of new Set(game_ids)) {
    const events = listeners.peek(game_id) ?? (await listeners.get(game_id));
    if (events.has(type)) return true;
  }
  return false;
}
