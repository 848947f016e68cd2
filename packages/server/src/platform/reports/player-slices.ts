import type { Environment } from '@overworld/contract/common';
import type { OwnerPath } from '../queue/fair-queue.ts';
import type { Tenant } from '../players/player-key.ts';
import type { DateRange } from './date-range.ts';

/** The parameters by which a report is limited to some players and split by them. */
export interface PlayersQuery {
  players?: string;
  split_by?: string;
  split_limit: number;
}

/**
 * A slice has the same rows as the rollups, the tables of prepared counts. But it counts only some of the
 * players.
 */
export interface SliceRows {
  /** Sums over rows of `daily_players`. */
  active_days: {
    day: string;
    daily: number;
    weekly: number;
    monthly: number;
    new_players: number;
  }[];
  /** Rows of `retention_counts`. */
  retention: { first_day: string; day_number: number; player_count: number }[];
  /** Rows of `daily_sessions`, and the number of active players of each day. */
  sessions: {
    counts: { day: string; length_class: number; session_count: number; total_seconds: number }[];
    active: { day: string; active_players: number }[];
  };
  /** Counts of the most frequent event names. The row with the name null counts all other names. */
  events: { event_name: string | null; counts: number[] }[];
}

/** The parameters of each kind of slice, besides the days and the players. */
export interface SliceInputs {
  active_days: object;
  retention: object;
  sessions: object;
  events: {
    event_name: string | null;
    key_id: string | null;
    /** Starts of the periods, ascending. */
    periods: readonly string[];
    /** The number of event names that get their own counts. */
    names: number;
  };
}

export type SliceKind = keyof SliceRows;

/** A report's rows for some players, and for groups of these players. */
export interface Slice<K extends SliceKind> {
  /** Null when the report is about all players. Then the caller reads the numbers from the rollups. */
  total: SliceRows[K] | null;
  groups: { kind: 'value' | 'other' | 'none'; value: string | null; rows: SliceRows[K] }[];
  /** The number of distinct event names; only for `events`. */
  name_count: number;
}

/** The request for a slice. */
export interface SliceCall {
  tenant: Tenant;
  range: DateRange;
  query: PlayersQuery & { environment: Environment };
  owner: OwnerPath;
  signal: AbortSignal;
  /** Called with the share of the work that is done, 0 to 1. */
  onShare?: (share: number) => void;
}

/** Counts rows like those of the rollups, but only for some players, from their days, sessions and events. */
export interface PlayerSlices {
  /**
   * @returns null if the query has neither `players` nor `split_by`.
   * @throws ApiError 400 that names the wrong parameter, or 503 when the counting
   * takes too long or too many reports wait.
   */
  read<K extends SliceKind>(
    kind: K,
    input: SliceInputs[K],
    call: SliceCall,
  ): Promise<Slice<K> | null>;
}
