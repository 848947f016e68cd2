import type { Environment } from '@overworld/contract/common';
import type { JsonText } from '../../platform/http/implement.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';

/** What players have done, as the events tell; app.ts hands it over. */
export interface PlayerHistory {
  /** Waits, at most a second, until events acknowledged before can be read. */
  waitForInbox(game_id: string, environment: Environment): Promise<void>;
  /** The newest sessions first. */
  listSessions(player: PlayerKey, limit: number): Promise<Session[]>;
  /** The newest events first. */
  listTimeline(player: PlayerKey, limit: number, offset: number): Promise<TimelineEvent[]>;
}

interface Session {
  session_id: string;
  started_at: string;
  last_event_at: string;
  event_count: number;
}

interface TimelineEvent {
  event_name: string;
  session_id: string;
  properties: JsonText;
  client_timestamp: string | null;
  received_at: string;
}
