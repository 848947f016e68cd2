// Answers of the API that only servers read. `test/contract.test.ts` checks that these are the types of the
// contract.
import type { EventViolation, Reward } from '../answers.ts';

/** The player to whom a player token belongs. */
export interface VerifiedPlayer {
  /** If the player was merged into another one, the player who stays. */
  player_id: string;
  /** When the token expires, ISO 8601. */
  expires_at: string;
  /** The providers with which the player can log in, in alphabetical order. */
  providers: string[];
}

export interface PlayerDetail {
  player_id: string;
  properties: { [key: string]: unknown };
  tags: string[];
  /** The newest 50 sessions, the latest first. */
  session_history: {
    session_id: string;
    started_at: string;
    last_event_at: string;
    event_count: number;
  }[];
  first_seen_at: string;
  last_seen_at: string;
}

/** A page of a player's events, the newest first. */
export interface Timeline {
  player_id: string;
  events: {
    event_name: string;
    session_id: string;
    properties: { [key: string]: unknown };
    client_timestamp: string | null;
    received_at: string;
  }[];
  limit: number;
  offset: number;
  /** Give it as `cursor` to read on; null at the end. */
  next_cursor: string | null;
}

export interface TrackedEvents {
  /** Number of events that are stored: the first ones, if the monthly quota has no room for all. */
  received: number;
  quota: { remaining: number; limit: number };
  /** Events that are stored but break their schema. */
  warnings?: EventViolation[];
}

/** The values of the remote config. */
export interface ConfigValues {
  config: { [key: string]: unknown };
  version: number;
}

/** A merge of the player `from_player_id` into the player `player_id`. */
export interface PlayerMerge {
  player_id: string;
  from_player_id: string;
  merged_at: string;
  state: 'moving_events' | 'complete';
  event_count: number;
  moved_event_count: number;
}

type Kept = 'target' | 'source';

/** A merge, or the preview of one. */
export interface MergedPlayers {
  player_id: string;
  from_player_id: string;
  /** Null in a preview. */
  merged_at: string | null;
  state: 'preview' | 'moving_events' | 'complete';
  event_count: number;
  moved_event_count: number;
  changes: {
    saves: { slot: string; kept: Kept; version: number }[];
    scores: { board_name: string; season: number; score: number; kept: Kept | 'both' }[];
    bans: (string | null)[];
    achievements: string[];
    tags: string[];
    properties: string[];
    logins: string[];
    sessions: number;
  };
}

/** All data of a player: these members, and one for each kind of data, such as `saves` or `events`. */
export interface PlayerExport {
  game_id: string;
  environment: 'development' | 'production';
  exported_at: string;
  player: object;
  [kind: string]: unknown;
}

/** A condition on a property of players. */
export interface PropertyCondition {
  property: string;
  operator: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'exists' | 'not_exists';
  value?: string | number | boolean | null;
}

/** A condition on a statistic of players. */
export interface StatCondition {
  stat: string;
  operator: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'exists' | 'not_exists';
  value?: number;
}

/** The players whom a message is for. */
export interface MessageAudience {
  /** `player`: that of `player_id`. `segment`: those who meet the conditions. */
  type: 'player' | 'segment' | 'everyone';
  player_id?: string;
  /** The name of a saved segment. */
  segment?: string;
  has_tags?: string[];
  lacks_tags?: string[];
  /** Conditions on properties and statistics, which all hold. */
  properties?: (PropertyCondition | StatCondition)[];
  /** Whether players who come, or meet the conditions, later get the message; `included` by default. */
  joiners?: 'included' | 'excluded';
}

/** A message to send. */
export interface NewMessage {
  /** A UUID: a message with an id that was sent before is not sent again. By default, each call makes one. */
  id?: string;
  to: MessageAudience;
  title: string;
  text?: string;
  /** Texts in other languages, such as `de` or `pt-BR`. */
  translations?: { [locale: string]: { title?: string; text?: string } };
  /** Any JSON object of up to 4 KB, for the game. */
  data?: { [key: string]: unknown };
  rewards?: Reward[];
  /** ISO 8601; at once by default. */
  starts_at?: string;
  /** ISO 8601; no end by default. */
  ends_at?: string;
  /** For the members of the game alone. */
  reason?: string;
}

/** A message as it was sent. */
export interface SentMessage extends Required<Omit<NewMessage, 'ends_at'>> {
  id: string;
  ends_at: string | null;
  sent_at: string;
  sent_by: string | null;
  recalled_at: string | null;
  /** Whether the members of a segment without joiners are still being stored. */
  is_sending: boolean;
  /** Players who met the conditions, if joiners are excluded from a segment; else null. */
  member_count: number | null;
  /** The moment whose members have the message. */
  members_at: string | null;
}
