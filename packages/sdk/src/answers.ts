// Answers of the API. `test/contract.test.ts` checks that these are the types of the contract.

/** An error in an event. */
export interface EventViolation {
  /** Index of the event in the list of sent events. */
  index: number;
  event_name: string | null;
  /** The field, such as `properties.price`; empty for the event as a whole. */
  path: string;
  message: string;
}

/** All properties of a player, after the sent ones were merged into them. */
export interface PlayerProperties {
  player_id: string;
  properties: { [key: string]: unknown };
}

/** All tags of a player, in the order they were added. */
export interface PlayerTags {
  player_id: string;
  tags: string[];
}

/** A cloud save. */
export interface Save<Data = { [key: string]: unknown }> {
  data: Data;
  /** Server version: 1, 2, 3… */
  version: number;
  /** When this version was stored, ISO 8601. */
  updated_at: string;
}

/** A slot that has a save. */
export interface SaveSlot {
  /** The name of the slot; `main` is the slot of calls that name no slot. */
  slot: string;
  version: number;
  /** When this version was stored, ISO 8601. */
  updated_at: string;
  size_bytes: number;
}

export interface Unlock {
  success: true;
  achievement: { key: string; name: string; description: string; points: number };
  /**
   * True if the player had the achievement before. Also true if the call was repeated because its answer
   * was lost.
   */
  already_unlocked: boolean;
  /** The points of all achievements that this player has unlocked. */
  total_points: number;
}

export interface Achievement {
  key: string;
  /** `???` while the achievement is hidden and locked. */
  name: string;
  /** `???` while the achievement is hidden and locked. */
  description: string;
  icon_url: string;
  points: number;
  hidden: boolean;
  unlocked?: boolean;
  /** ISO 8601; null while the achievement is locked. */
  unlocked_at?: string | null;
  /** How far the player is, if it unlocks by statistics: 37 of 100. Null while it is hidden and locked. */
  progress?: { current: number; target: number } | null;
}

export interface AchievementList {
  achievements: Achievement[];
  /** The points of all listed achievements. */
  total_points: number;
  /** Points that the player has unlocked. */
  unlocked_points: number;
}

/** A statistic of the player. */
export interface Stat {
  key: string;
  name: string;
  /** How changes join to the value: added up, or the greatest, the least or the last one. */
  aggregation: 'sum' | 'max' | 'min' | 'latest';
  /** Null before the first change. */
  value: number | null;
  /** When the value was last changed, ISO 8601. */
  updated_at: string | null;
}

/** The new values of statistics that a call has changed. */
export interface ChangedStats {
  stats: { key: string; value: number }[];
  /** The achievements that the call has unlocked by their rules. */
  unlocked: { key: string; name: string; points: number }[];
}

export interface LeaderboardEntry {
  /** Position on the board; 1 is first. */
  rank: number;
  player_id: string;
  player_name: string | null;
  score: number;
  metadata: { [key: string]: unknown } | null;
  /** When the score was reached, ISO 8601. */
  updated_at: string;
  /** Only on a board with a tie-break, if it was sent with the score. */
  tie_value?: number;
}

/** The stored entry after a submit: the player's best score, unless the board keeps something else. */
export interface SubmittedScore extends LeaderboardEntry {
  board_name: string;
  /** True if this call changed the entry. False for a repeated call if the first try changed the entry. */
  updated: boolean;
  total_entries: number;
  /** The score of a player that the board keeps; absent if it is the best. */
  keeps?: 'latest' | 'sum';
}

export interface LeaderboardPage {
  board_name: string;
  season: number;
  total_entries: number;
  /** Entries in order of rank. */
  entries: LeaderboardEntry[];
}

/** The entries of named players on a board. */
export interface LeaderboardPlayers {
  board_name: string;
  season: number;
  total_entries: number;
  /** In order of rank; players without an entry come last, with null. */
  players: { player_id: string; entry: LeaderboardEntry | null }[];
}

/** Something that a player gets by claiming a message. */
export interface Reward {
  /** `item`: the game gives it. The server has changed a `stat` and unlocked an `achievement` with the claim. */
  type: 'item' | 'stat' | 'achievement';
  /** The name of the item, or the key of the statistic or the achievement. */
  key: string;
  /** Of an item. */
  quantity?: number;
  /** The change of a statistic. */
  value?: number;
  /** More data of the studio about an item. */
  data?: { [key: string]: unknown };
}

export interface PlayerMessage {
  id: string;
  title: string;
  /** May be empty. */
  text: string;
  /** The language of the texts; null for the default one. */
  locale: string | null;
  /** The data of the studio for the game. */
  data: { [key: string]: unknown };
  /** The rewards that the player gets by `claim`. */
  rewards: Reward[];
  /** ISO 8601. */
  starts_at: string;
  /** ISO 8601; null if the message has no end. */
  ends_at: string | null;
  read: boolean;
  claimed: boolean;
}

/** A page of messages, the newest first. */
export interface MessageList {
  messages: PlayerMessage[];
  /** Give it as `cursor` to read on; null at the end. */
  next_cursor: string | null;
  /** Messages on all pages that the player has not read. */
  unread_count: number;
}

export interface MessageClaim {
  success: true;
  /**
   * True if the message was claimed before. Also true if the call was repeated because its answer was lost: so
   * keep the ids of the messages whose items the player has, and give those of all others.
   */
  already_claimed: boolean;
  /** ISO 8601. */
  claimed_at: string;
  /** The same at each claim. */
  rewards: Reward[];
}
