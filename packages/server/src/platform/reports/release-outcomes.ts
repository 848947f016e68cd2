import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import type { Tenant } from '../players/player-key.ts';
import type { Sample } from './experiment-outcomes.ts';

/** A question about the players of one version of a game. */
export interface ReleaseInput extends Tenant {
  time_zone: string;
  version: string;
  /** The first and the last day on which players count who start the version. */
  from: string;
  to: string;
  today: string;
  /** The moment up to which events count, in the format of the API. */
  as_of: string;
  /** The days after the first start of a player that count. */
  days: number;
  event_names: readonly string[];
  /** The settings for reading the game's purchase event; null to count no money. */
  revenue: RevenueSettings | null;
}

/** The counts of a version, as sums over its players. */
export interface ReleaseOutcomes {
  players: number;
  new_players: number;
  adoption: Sample;
  /** New players who came back on a later day. */
  retention_day_1: Sample;
  retention_day_7: Sample;
  sessions: Sample;
  session_seconds: Sample;
  /** Zero players without settings for purchases. */
  revenue: Sample;
  /** In the order of the names. */
  events: Sample[];
}
