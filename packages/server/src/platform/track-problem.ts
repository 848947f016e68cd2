import type { Tenant } from './players/player-key.ts';

/** Events of one request that have the same problem. The problem cannot be seen in the stored events. */
export interface TrackProblem extends Tenant {
  key_id: string;
  /**
   * The name of the events if they break a schema; empty for other problems. There are thus never more names
   * than schemas.
   */
  event_name: string;
  kind: 'warned' | 'refused' | 'repeated';
  event_count: number;
}

export type OnTrackProblem = (problem: TrackProblem) => void;
