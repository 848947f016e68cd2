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

/** The rows of rollups, counted for some players alone. */
export interface SliceRows {
  /** Rows of `daily_players`, summed up. */
  active_days: {
    day: string;
    daily: number;
    weekly: number;
    monthly: number;
    new_players: number;
  }[];
  /** Rows of `retention_counts`. */
  retention: { first_day: string; day_number: number; player_count: number }[];
  /** Rows of `daily_sessions`, and the active players of days. */
  sessions: {
    counts: { day: string; length_class: number; session_count: number; total_seconds: number }[];
    active: { day: string; active_players: number }[];
  };
  /** Counts of the most frequent names, and of all others under the name null. */
  events: { event_name: string | null; counts: number[] }[];
}

/** The parameters of slices besides days and players. */
export interface SliceInputs {
  active_days: object;
  retention: object;
  sessions: object;
  events: {
    event_name: string | null;
    key_id: string | null;
    /** Starts of the periods, ascending. */
    periods: readonly string[];
    /** Names with counts of their own. */
    names: number;
  };
}

export type SliceKind = keyof SliceRows;

/** A report's rows for some players, and for groups of them. */
export interface Slice<K extends SliceKind> {
  /** Null when the report is about all players, so that its rollups have the numbers. */
  total: SliceRows[K] | null;
  groups: { kind: 'value' | 'other' | 'none'; value: string | null; rows: SliceRows[K] }[];
  /** Number of names of events, for `events`. */
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

/** Counts rows like those of rollups for some players, from their days, sessions and events. */
export interface PlayerSlices {
  /**
   * @returns null for a request that names no players and no split.
   * @throws ApiError 400 naming the parameter; 503 like other reports on events.
   */
  read<K extends SliceKind>(
    kind: K,
    input: SliceInputs[K],
    call: SliceCall,
  ): Promise<Slice<K> | null>;
}
