import type { SuccessOf } from '@overworld/contract/operation';
import type { getPlayer, getPlayerTimeline } from '@overworld/contract/players/players';
import type { Database } from '../database/database.ts';
import type { JsonText } from '../http/implement.ts';
import type { PlayerKey, Tenant } from './player-key.ts';

export type Session = SuccessOf<typeof getPlayer>['session_history'][number];

/** An event in the timeline of its player. */
export type TimelineEvent = Omit<
  SuccessOf<typeof getPlayerTimeline>['events'][number],
  'properties'
> & { properties: JsonText };

/** An event with its place in the timeline. `received` is its time of receipt with all digits. */
export interface PlacedEvent extends TimelineEvent {
  id: number;
  received: string;
}

export interface TimelinePage {
  limit: number;
  offset: number;
  /** The page begins after this place, and skips `offset` events from there on; null for the newest. */
  after: { received: string; id: number } | null;
}

/**
 * The events and sessions of players; `app.ts` passes them from the events feature to the players feature.
 */
export interface PlayerHistory {
  /** Waits, at most a second, until the events that were acknowledged before the call can be read. */
  waitForInbox(tenant: Tenant): Promise<void>;
  /** Lists sessions. Those that began last come first. */
  listSessions(database: Database, player: PlayerKey, limit: number): Promise<Session[]>;
  /** Finds the player's sessions with these ids, in any order. */
  findSessions(
    database: Database,
    player: PlayerKey,
    session_ids: readonly string[],
  ): Promise<Session[]>;
  /** Lists events. Those that were received last come first. */
  listTimeline(database: Database, player: PlayerKey, page: TimelinePage): Promise<PlacedEvent[]>;
}
